// Most npm scripts begin here, so that a fresh clone needs no other command. They go on with a program's name or with
// `env node`: a shell would start the Node.js that it has just used again, and not the one that is now installed.
// With the word n8n behind it, what a real n8n needs is looked at before anything is installed.
import { ensureInstalled, FIRST_START } from './install.mjs';
import { assertNode, assertReadyForN8n, assertWritable, hasN8n } from './preflight.mjs';

try {
	assertNode();
	assertWritable(process.cwd());
	const needsN8n = process.argv.includes('n8n') && !hasN8n();
	if (needsN8n) assertReadyForN8n();
	const { tools, n8n, sqlite, start } = FIRST_START;
	const time = { usual: tools, after: needsN8n ? n8n + sqlite + start : 0 };
	await ensureInstalled(process.cwd(), 'the development tools', time);
} catch (error) {
	console.error(`\n${error.message}`);
	process.exit(1);
}
