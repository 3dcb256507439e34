import { existsSync, readFileSync } from 'node:fs';
import { inProject } from './project.mjs';
import { runQuietly } from './run.mjs';

/** Are all packages that the lock names installed, in that version? npm notes what it did. */
export function areNpmPackagesFresh() {
  const notes = inProject('node_modules/.package-lock.json');
  if (!existsSync(notes)) return false;
  const wanted = packagesIn(inProject('package-lock.json'));
  const installed = packagesIn(notes);
  return Object.entries(wanted).every(
    ([path, { version, integrity, optional }]) =>
      path === '' ||
      // Made for another platform.
      (optional && !(path in installed)) ||
      (installed[path]?.version === version && installed[path].integrity === integrity),
  );
}

function packagesIn(path) {
  return JSON.parse(readFileSync(path, 'utf8')).packages;
}

export async function installNpmPackages() {
  // Within `npm start` this is the npm that runs it.
  const npm = process.env.npm_execpath?.endsWith('.js')
    ? [process.execPath, process.env.npm_execpath]
    : ['npm'];
  const flags = ['--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  const [command, ...args] = [...npm, 'ci', ...flags];
  await runQuietly(
    command,
    args,
    'npm could not install the packages. Is the registry reachable?',
  );
}
