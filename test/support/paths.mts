import { join } from 'node:path';

/**
 * The project's root: npm runs every script from there, and a path that needs no `import.meta` works under jest as
 * well.
 */
export const root = process.cwd();

/** Everything the suites and the demo write; ignored by git. */
export const workFolder = join(root, '.work');
