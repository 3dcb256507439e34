import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that package.json is in. */
export const project = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** A path within the project, absolute. */
export const inProject = (...parts) => join(project, ...parts);
