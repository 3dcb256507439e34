// npm test: sets up and builds what is not up to date, then checks the sources
// and runs the tests. The last line sums up.
//   npm test                    checks, unit and e2e
//   npm test -- --unit          only these; likewise --checks, --e2e, --kernels
//   npm test -- PATTERN...      only the test files with that in their path
import { ensureBuilt } from './lib/build.mjs';
import { runChecks } from './lib/checks.mjs';
import { watchLeftovers } from './lib/leftovers.mjs';
import { main } from './lib/main.mjs';
import { checkNeeds, e2eNeeds, kernelNeeds } from './lib/needs.mjs';
import { runTests, testFiles } from './lib/run-tests.mjs';
import { SetupError } from './lib/setup-error.mjs';
import { ensureSystemPackages } from './lib/system-packages.mjs';

const parts = {
  checks: { needs: checkNeeds },
  unit: { needs: [], parallel: true, minutes: 5 },
  // They share the machine's cgroups and CPUs.
  e2e: { needs: e2eNeeds, parallel: false, minutes: 10 },
  kernels: { needs: kernelNeeds, parallel: false, minutes: 60 },
};

function choose(args) {
  const options = args.filter((arg) => arg.startsWith('-'));
  const patterns = args.filter((arg) => !arg.startsWith('-'));
  const known = Object.keys(parts).map((part) => `--${part}`);
  const unknown = options.find((option) => !known.includes(option));
  if (unknown !== undefined) {
    throw new SetupError(
      `There is no option ${unknown}. Use ${known.join(', ')}, or a part of a file's path.`,
    );
  }
  const named = options.map((option) => option.slice(2));
  if (named.length > 0) return { chosen: named, patterns };
  return {
    chosen: patterns.length > 0 ? ['unit', 'e2e'] : ['checks', 'unit', 'e2e'],
    patterns,
  };
}

await main(async () => {
  const { chosen, patterns } = choose(process.argv.slice(2));
  const runs = chosen
    .filter((part) => part !== 'checks')
    .map((part) => ({ part, files: testFiles(part, patterns) }))
    .filter(({ files }) => files.length > 0);
  if (runs.length === 0 && !chosen.includes('checks')) {
    throw new SetupError(`No test file has ${patterns.join(' or ')} in its path.`);
  }

  const needed = [
    ...(chosen.includes('checks') ? ['checks'] : []),
    ...runs.map(({ part }) => part),
  ];
  await ensureSystemPackages(
    needed.flatMap((part) => parts[part].needs),
    'to test',
  );
  await ensureBuilt();

  const failed = [];
  const skipped = [];
  let passed = 0;

  if (chosen.includes('checks')) {
    console.log('\nChecks');
    const result = await runChecks();
    passed += result.passed;
    failed.push(...result.failed);
  }

  if (runs.length > 0) {
    const leftovers = watchLeftovers();
    for (const { part, files } of runs) {
      console.log(`\nTests: ${part}`);
      const { parallel, minutes } = parts[part];
      const result = await runTests(files, { parallel, minutes, ...leftovers });
      passed += result.passed;
      failed.push(...result.failed);
      skipped.push(...result.skipped);
    }
    const left = await leftovers.end();
    if (left.length === 0) passed++;
    else failed.push(`nothing is left behind, but here is ${left.join(', ')}`);
  }

  console.log('');
  for (const name of failed) console.log(`✖ ${name}`);
  for (const name of skipped) console.log(`﹣ ${name} (skipped)`);
  if (passed + failed.length === 0) failed.push('nothing ran');
  // On a developer's machine a skipped test may be a choice, in CI it is a hole.
  const isFailure = failed.length > 0 || (process.env.CI && skipped.length > 0);
  console.log(
    `${passed} passed, ${failed.length} failed` +
      (skipped.length > 0 ? `, ${skipped.length} skipped` : ''),
  );
  process.exitCode = isFailure ? 1 : 0;
});
