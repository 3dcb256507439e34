import { SetupError } from './setup-error.mjs';

const leastNode = 20;

/** Runs a script's body; what it throws becomes a message and exit code 1. */
export async function main(body) {
  try {
    const major = Number(process.versions.node.split('.')[0]);
    if (major < leastNode) {
      throw new SetupError(
        `cgleak needs Node ${leastNode} or newer, and this is ${process.version}. Install a ` +
          'newer one, from nodejs.org or your distribution.',
      );
    }
    await body();
  } catch (error) {
    if (error instanceof SetupError) {
      if (error.output) process.stderr.write(`${error.output.trimEnd()}\n\n`);
      process.stderr.write(`${error.message}\n`);
    } else {
      console.error(error);
    }
    process.exitCode = 1;
  }
}
