import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJson, type Json } from '../json.mts';
import { root, workFolder } from '../paths.mts';

function readManifest(file: string): Json {
	const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
	if (!isJson(manifest)) throw new Error(`${file} holds no object`);
	return manifest;
}

const manifest = readManifest(join(root, 'package.json'));

const packFolder = join(workFolder, 'pack');

/** The tarball that `prepare.mjs` packs. */
export const tarball = join(packFolder, `${manifest.name}-${manifest.version}.tgz`);

export function packAs(version: string): string {
	const copy = mkdtempSync(join(workFolder, 'as-'));
	for (const file of ['dist', 'README.md', 'LICENSE.md', 'CHANGELOG.md'])
		cpSync(join(root, file), join(copy, file), { recursive: true });
	writeFileSync(join(copy, 'package.json'), JSON.stringify({ ...manifest, version }));
	execFileSync('npm', ['pack', '--silent', '--pack-destination', packFolder], { cwd: copy, stdio: 'ignore' });
	rmSync(copy, { recursive: true });
	return join(packFolder, `${manifest.name}-${version}.tgz`);
}

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
export function installPackage(userFolder: string, file = tarball): void {
	const nodesFolder = nodesFolderOf(userFolder);
	rmSync(nodesFolder, { recursive: true, force: true });
	mkdirSync(nodesFolder, { recursive: true });
	// As n8n writes it; without one npm would install into the project that the folder lies in.
	writeFileSync(
		join(nodesFolder, 'package.json'),
		JSON.stringify({ name: 'installed-nodes', private: true, dependencies: {} }),
	);
	npm(userFolder, 'install', file);
}

export function updatePackage(userFolder: string, file: string): void {
	npm(userFolder, 'install', file);
}

/** Uninstalls the package, as n8n does: workflows and their subscriptions are left as they are. */
export function uninstallPackage(userFolder: string): void {
	npm(userFolder, 'uninstall', String(manifest.name));
}

export function installedVersion(userFolder: string): string {
	const file = join(nodesFolderOf(userFolder), 'node_modules', String(manifest.name), 'package.json');
	return String(readManifest(file).version);
}
