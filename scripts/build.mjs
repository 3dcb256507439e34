// npm run build: sets up and builds what is not up to date.
import { ensureBuilt } from './lib/build.mjs';
import { main } from './lib/main.mjs';

await main(ensureBuilt);
