import { lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureInstalled } from '../install.mjs';

const root = process.cwd();

/** Where n8n's lint and scanner, and Prettier, are installed. */
export const lintFolder = join(root, 'scripts', 'lint');

/**
 * Installs n8n's lint and scanner, and links n8n's command line into the project's `node_modules`, where the
 * unmodified `eslint.config.mjs` of n8n's template looks for it.
 */
export async function prepareLintTools() {
	await ensureInstalled(lintFolder, "n8n's lint and scanner", { usual: 30 });
	const link = join(root, 'node_modules', '@n8n', 'node-cli');
	mkdirSync(dirname(link), { recursive: true });
	if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) rmSync(link, { recursive: true });
	symlinkSync(join(lintFolder, 'node_modules', '@n8n', 'node-cli'), link, 'junction');
}
