// Most npm scripts begin here, so that a fresh clone needs no other command. They go on with a program's name or with
// `env node`: a shell would start the Node.js that it has just used again, and not the one that is now installed.
// With the word n8n behind it, what a real n8n needs is looked at before anything is installed.
import { ensureInstalled } from './install.mjs';
import { assertNode, assertReadyForN8n, assertWritable, hasN8n } from './preflight.mjs';

try {
	assertNode();
	assertWritable(process.cwd());
	if (process.argv.includes('n8n') && !hasN8n()) assertReadyForN8n();
	await ensureInstalled(process.cwd(), 'the development tools', 'about a minute');
} catch (error) {
	console.error(`\n${error.message}`);
	process.exit(1);
}
