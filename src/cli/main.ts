#!/usr/bin/env -S node --max-semi-space-size=4
// A young generation that grows no larger, MB: under load it makes up a third of the memory.
import { failureOf } from './failure.js';
import { createOutput } from './output.js';
import { run } from './parser.js';
import { dieIfHungUp } from './stop.js';

// Nobody is there to be told any more.
process.stderr.on('error', () => undefined);

try {
  const printed = await run(process.argv.slice(2));
  if (printed !== '') {
    const output = createOutput(process.stdout, () => undefined);
    output.write(printed);
    await output.flush();
  }
} catch (error) {
  const failure = failureOf(error);
  process.stderr.write(`${failure.message}\n`);
  if (process.env['CGLEAK_DEBUG']) console.error(error);
  process.exitCode = failure.exitCode;
}
dieIfHungUp();
// What is still open, such as a pipe that no one reads, must not hold up the end.
process.exit();
