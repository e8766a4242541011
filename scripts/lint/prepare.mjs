import { lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureInstalled } from '../install.mjs';

const root = process.cwd();

/** The folder in which n8n's own lint and scanner are installed. */
export const gateFolder = join(root, 'scripts', 'lint');

/**
 * Installs the tools of the gate and links n8n's command line into the project's `node_modules`, where the unmodified
 * `eslint.config.mjs` of n8n's template looks for it.
 */
export async function prepareGate() {
	await ensureInstalled(gateFolder, "n8n's lint and scanner", 'about half a minute');
	const link = join(root, 'node_modules', '@n8n', 'node-cli');
	mkdirSync(dirname(link), { recursive: true });
	if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) rmSync(link, { recursive: true });
	symlinkSync(join(gateFolder, 'node_modules', '@n8n', 'node-cli'), link, 'junction');
}
