// npm run bench: measures what watching costs, beside bpftrace. Needs root.
import { ensureBuilt } from './lib/build.mjs';
import { main } from './lib/main.mjs';
import { benchNeeds } from './lib/needs.mjs';
import { run } from './lib/run.mjs';
import { ensureSystemPackages } from './lib/system-packages.mjs';

await main(async () => {
  await ensureSystemPackages(benchNeeds, 'to measure');
  await ensureBuilt();
  for (const bench of ['overhead', 'lifecycle-throughput', 'lifecycle-memory', 'scan']) {
    const args = ['--expose-gc', '--import', 'tsx', `bench/${bench}.ts`];
    const { code } = await run(process.execPath, args, { output: 'inherit' });
    process.exitCode ||= code;
  }
});
