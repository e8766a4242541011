// `npm test` and `npm run demo` begin here, so that a fresh clone needs no other command.
import { ensureInstalled } from './install.mjs';

await ensureInstalled(process.cwd(), 'the development tools', 'about a minute');
