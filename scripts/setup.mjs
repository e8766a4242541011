// Most npm scripts begin here, so that a fresh clone needs no other command. They go on with a program's name or with
// `env node`: a shell would start the Node.js that it has just used again, and not the one that is now installed.
import { ensureInstalled } from './install.mjs';

await ensureInstalled(process.cwd(), 'the development tools', 'about a minute');
