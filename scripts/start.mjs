// npm start: sets up and builds what is not up to date, then runs `cgleak watch`
// with the arguments after `--`.
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './lib/build.mjs';
import { main } from './lib/main.mjs';
import { inProject } from './lib/project.mjs';

await main(async () => {
  await ensureBuilt();
  // Within this process, so that signals, the terminal and the exit code are its own.
  const command = inProject('dist/cli/main.js');
  process.argv = [process.execPath, command, 'watch', ...process.argv.slice(2)];
  await import(pathToFileURL(command).href);
});
