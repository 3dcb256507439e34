import { resolve } from 'node:path';

/**
 * A reporter of node:test that writes what ran, at the end, as JSON: the number
 * of tests that passed, the names of those that failed or were skipped or are to
 * do, and the files that had any test. Suites are no tests, and neither is a file
 * as such, which some versions of Node count as a passed one.
 */
export default async function* countReporter(source) {
  const counts = { passed: 0, failed: [], skipped: [] };
  const files = new Set();
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { name, file } = data;
    const isSkipped = data.skip !== undefined || data.todo !== undefined;
    const isSuite = data.details?.type === 'suite';
    const isFile = data.nesting === 0 && file !== undefined && resolve(name) === file;
    if (file !== undefined && !(isFile && type === 'test:pass')) files.add(file);
    if (isSuite && !isSkipped) continue;
    if (type === 'test:fail') counts.failed.push(name);
    else if (isSkipped) counts.skipped.push(name);
    else if (!isFile) counts.passed++;
  }
  yield JSON.stringify({ ...counts, files: [...files] });
}
