import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where npm runs every script. `import.meta`, which would not depend on that, does not work under jest. */
export const root = process.cwd();

/** Everything that the suites and the demo write; ignored by git. */
export const workFolder = join(root, '.work');

/** Of a file of the repository, such as `docs/events.md`. */
export const textOfFile = (path: string) => readFileSync(join(root, path), 'utf8');
