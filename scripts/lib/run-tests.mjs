import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf } from './hash.mjs';
import { inProject } from './project.mjs';
import { run } from './run.mjs';

/** Test files of a folder whose path has one of the patterns in it, or all. */
export function testFiles(folder, patterns) {
  return filesOf(join('test', folder))
    .filter((path) => path.endsWith('.test.ts'))
    .filter(
      (path) =>
        patterns.length === 0 || patterns.some((pattern) => path.includes(pattern)),
    );
}

/**
 * Runs test files with node:test and shows what it says.
 * @param {readonly string[]} files
 * @param {{ parallel: boolean, minutes: number, env: NodeJS.ProcessEnv, folder: string }} options
 *   `minutes` is the most that a file may take, `folder` is for a file of ours
 * @returns {Promise<{ passed: number, failed: string[], skipped: string[] }>}
 */
export async function runTests(files, { parallel, minutes, env, folder }) {
  const counts = join(folder, 'counts.json');
  rmSync(counts, { force: true });
  const args = [
    ...['--import', 'tsx', '--test'],
    `--test-timeout=${minutes * 60_000}`,
    ...(parallel ? [] : ['--test-concurrency=1']),
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    `--test-reporter=${inProject('scripts/lib/count-reporter.mjs')}`,
    `--test-reporter-destination=${counts}`,
    ...files,
  ];
  const { code } = await run(process.execPath, args, { env, output: 'inherit' });

  const { files: filesWithTests, ...result } = existsSync(counts)
    ? JSON.parse(readFileSync(counts, 'utf8'))
    : { passed: 0, failed: [], skipped: [], files: [] };
  for (const file of files) {
    if (!filesWithTests.includes(inProject(file)))
      result.failed.push(`${file} ran no test`);
  }
  // The runner's own verdict counts, whatever we have understood of it.
  if (code !== 0 && result.failed.length === 0) {
    result.failed.push(`the test runner ended with ${code}`);
  }
  return result;
}
