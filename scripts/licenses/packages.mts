import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJson, type Json } from '../../test/support/json.mts';
import { root } from '../../test/support/paths.mts';

/** A package that work on this project installs. */
export interface LicensedPackage {
	name: string;
	/** As the package's manifest states it; empty when it states none. */
	license: string;
}

function readJson(...path: string[]): Json {
	const value: unknown = JSON.parse(readFileSync(join(root, ...path), 'utf8'));
	if (!isJson(value)) throw new Error(`${path.join('/')} holds no object`);
	return value;
}

/** Reads `license`, and the list `licenses` of manifests that are older than 2014. */
function licenseOf({ license, licenses }: Json): string {
	if (typeof license === 'string') return license;
	const list = Array.isArray(licenses) ? licenses.filter(isJson) : [];
	return list.map(({ type }) => String(type)).join(' AND ');
}

/**
 * Returns every package of the project's lock file by name, once for each license that a version of it has. Where the
 * lock file states none, the installed package's manifest is read.
 */
export function developmentPackages(): LicensedPackage[] {
	const { packages } = readJson('package-lock.json');
	const found = new Map<string, LicensedPackage>();
	for (const [path, entry] of Object.entries(isJson(packages) ? packages : {})) {
		if (path === '' || !isJson(entry)) continue;
		const isInstalled = existsSync(join(root, path, 'package.json'));
		const license = licenseOf(entry) || (isInstalled ? licenseOf(readJson(path, 'package.json')) : '');
		const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
		found.set(`${name} ${license}`, { name, license });
	}
	return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each);
}

/** The license under which this package is published. */
export function ownLicense(): string {
	return licenseOf(readJson('package.json'));
}
