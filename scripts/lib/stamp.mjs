import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { inProject } from './project.mjs';

const path = (stage) => inProject('build/stamps', stage);

/**
 * What a stage was last made from and what it made, as hashes.
 * @returns {{ inputs: string, outputs: string } | undefined}
 */
export function readStamp(stage) {
  if (!existsSync(path(stage))) return undefined;
  const [inputs, outputs] = readFileSync(path(stage), 'utf8').split('\n');
  return { inputs, outputs };
}

export function removeStamp(stage) {
  rmSync(path(stage), { force: true });
}

export function writeStamp(stage, inputs, outputs) {
  mkdirSync(inProject('build/stamps'), { recursive: true });
  writeFileSync(path(stage), `${inputs}\n${outputs}\n`);
}
