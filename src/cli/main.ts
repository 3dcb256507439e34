#!/usr/bin/env -S node --max-semi-space-size=4
// A young generation that grows no larger, MB: under load it makes up a third of the memory.
import { exitCode } from './exit-code.js';
import { failureOf } from './failure.js';
import { run, UsageError } from './parser.js';
import { dieIfHungUp } from './stop.js';

// Nobody is there to be told any more.
process.stderr.on('error', () => undefined);

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.help}\n\n${error.message}\n`);
    process.exitCode = exitCode.failure;
  } else {
    const failure = failureOf(error);
    process.stderr.write(`${failure.message}\n`);
    if (process.env['CGLEAK_DEBUG']) console.error(error);
    process.exitCode = failure.exitCode;
  }
}
dieIfHungUp();
// What is still open, such as a pipe that no one reads, must not hold up the end.
process.exit();
