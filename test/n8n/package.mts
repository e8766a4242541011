import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJson } from '../json.mts';
import { root, workFolder } from '../paths.mts';

const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
if (!isJson(manifest)) throw new Error('package.json holds no object');

/** The tarball that `test/n8n/prepare.mjs` packed. */
export const tarball = join(workFolder, 'pack', `${manifest.name}-${manifest.version}.tgz`);

/**
 * Takes n8n's user folder; installs the packed package there, in the layout that n8n's own installer of community
 * nodes makes.
 */
export function installPackage(userFolder: string): void {
	const nodesFolder = join(userFolder, '.n8n', 'nodes');
	rmSync(nodesFolder, { recursive: true, force: true });
	mkdirSync(nodesFolder, { recursive: true });
	// As n8n writes it; without one npm would install into the project that the folder lies in.
	writeFileSync(
		join(nodesFolder, 'package.json'),
		JSON.stringify({ name: 'installed-nodes', private: true, dependencies: {} }),
	);
	execFileSync(
		'npm',
		[
			'install',
			'--omit=dev',
			'--omit=peer',
			'--ignore-scripts',
			'--legacy-peer-deps',
			'--no-audit',
			'--no-fund',
			tarball,
		],
		{
			cwd: nodesFolder,
			stdio: ['ignore', 'ignore', 'inherit'],
		},
	);
}
