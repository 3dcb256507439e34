/**
 * A reporter of node:test that writes what ran, at the end, as JSON: the number
 * of tests that passed, and the names of those that failed or were skipped or are
 * to do. Suites are no tests, and a file without any test is a failure.
 */
export default async function* countReporter(source) {
  const counts = { passed: 0, failed: [], skipped: [] };
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { name } = data;
    const isSkipped = data.skip !== undefined || data.todo !== undefined;
    if (data.details?.type === 'suite' && !isSkipped) continue;
    if (type === 'test:fail') counts.failed.push(name);
    else if (isSkipped) counts.skipped.push(name);
    else if (data.nesting === 0 && data.file === name)
      counts.failed.push(`${name} has no test`);
    else counts.passed++;
  }
  yield JSON.stringify(counts);
}
