import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, workFolder } from '../paths.mts';

const { name, version }: Record<string, unknown> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The tarball that `prepare.mjs` packs. */
const tarball = join(workFolder, 'pack', `${String(name)}-${String(version)}.tgz`);

const nodesFolderOf = (userFolder: string) => join(userFolder, '.n8n', 'nodes');

/** Runs npm as n8n does to install community nodes: in the same folder, with the same options. */
function npm(userFolder: string, command: 'install' | 'uninstall', what: string): void {
	const options = ['--omit=dev', '--omit=peer', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
	execFileSync('npm', [command, ...options, what], {
		cwd: nodesFolderOf(userFolder),
		stdio: ['ignore', 'ignore', 'inherit'],
	});
}

/** Installs the packed package in n8n's user folder, in the layout of n8n's own installer of community nodes. */
export function installPackage(userFolder: string): void {
	const nodesFolder = nodesFolderOf(userFolder);
	rmSync(nodesFolder, { recursive: true, force: true });
	mkdirSync(nodesFolder, { recursive: true });
	// As n8n writes it; without one npm would install into the project that the folder lies in.
	writeFileSync(
		join(nodesFolder, 'package.json'),
		JSON.stringify({ name: 'installed-nodes', private: true, dependencies: {} }),
	);
	npm(userFolder, 'install', tarball);
}

/** Uninstalls the package, as n8n does: workflows and their subscriptions are left as they are. */
export function uninstallPackage(userFolder: string): void {
	npm(userFolder, 'uninstall', String(name));
}
