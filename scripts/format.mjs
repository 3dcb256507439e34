// npm run format: writes every file as the checks of npm test want it.
import { ensureBuilt } from './lib/build.mjs';
import { cFiles } from './lib/checks.mjs';
import { main } from './lib/main.mjs';
import { checkNeeds, findLlvmTool } from './lib/needs.mjs';
import { inProject } from './lib/project.mjs';
import { runQuietly } from './lib/run.mjs';
import { ensureSystemPackages } from './lib/system-packages.mjs';

await main(async () => {
  await ensureSystemPackages(checkNeeds, 'to format');
  await ensureBuilt();
  const prettier = inProject('node_modules/prettier/bin/prettier.cjs');
  await runQuietly(process.execPath, [prettier, '--write', '.'], 'Prettier failed.');
  const clangFormat = findLlvmTool('clang-format');
  await runQuietly(clangFormat, ['-i', ...cFiles()], 'clang-format failed.');
});
