import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJson, type Json } from '../../test/support/json.mts';
import { root } from '../../test/support/paths.mts';

/** A package that work on this project installs, and the licence that it states. */
export interface LicensedPackage {
	name: string;
	/** As it stands in its manifest; empty when it states none. */
	licence: string;
}

function readJson(...path: string[]): Json {
	const value: unknown = JSON.parse(readFileSync(join(root, ...path), 'utf8'));
	if (!isJson(value)) throw new Error(`${path.join('/')} holds no object`);
	return value;
}

/** Takes a manifest; gives its licence, also from the list that npm dropped in 2014. */
function licenceOf({ license, licenses }: Json): string {
	if (typeof license === 'string') return license;
	const list = Array.isArray(licenses) ? licenses.filter(isJson) : [];
	return list.map(({ type }) => String(type)).join(' AND ');
}

/** Every package of the project's lock file, once for each licence it has had, by name; those whose entry states no licence are looked up where they are installed. */
export function developmentPackages(): LicensedPackage[] {
	const { packages } = readJson('package-lock.json');
	const found = new Map<string, LicensedPackage>();
	for (const [place, entry] of Object.entries(isJson(packages) ? packages : {})) {
		if (place === '' || !isJson(entry)) continue;
		const isThere = existsSync(join(root, place, 'package.json'));
		const licence = licenceOf(entry) || (isThere ? licenceOf(readJson(place, 'package.json')) : '');
		const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
		found.set(`${name} ${licence}`, { name, licence });
	}
	return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each);
}

/** The licence under which this package is published. */
export function ownLicence(): string {
	return licenceOf(readJson('package.json'));
}
