import type { LicensedPackage } from './packages.mts';

/** Which packages may have a license. What is installed for work on this project is not published. */
const ALLOWED: Record<string, RegExp> = {
	MIT: /./,
	'Apache-2.0': /./,
	ISC: /./,
	'BSD-2-Clause': /./,
	'BSD-3-Clause': /./,
	'BlueOak-1.0.0': /./,
	'0BSD': /./,
	Unlicense: /./,
	'(MIT OR CC0-1.0)': /./,
	'(MIT AND Zlib)': /./,
	'(AFL-2.1 OR BSD-3-Clause)': /./,
	// Data about browsers, used by a compiler.
	'CC-BY-4.0': /^caniuse-lite$/,
	// n8n's Sustainable Use License: n8n itself is under it, and every user of this package runs n8n.
	'SEE LICENSE IN LICENSE.md': /^(n8n-core|n8n-workflow|@n8n\/.+)$/,
	'LicenseRef-n8n-enterprise': /^@n8n_io\//,
};

/** The packages of a license are listed by name when there are fewer than this. */
const LISTED_BELOW = 20;

/** Returns the packages whose license is missing or not allowed, as "name: license". */
export function notAllowed(packages: LicensedPackage[]): string[] {
	return packages
		.filter(({ name, license }) => ALLOWED[license]?.test(name) !== true)
		.map(({ name, license }) => `${name}: ${license === '' ? 'none stated' : license}`);
}

/** Returns the text of `docs/licenses.md`. */
export function licenseTable(own: string, packages: LicensedPackage[]): string {
	const rows = [...new Set(packages.map(({ license }) => license))]
		.map((license) => ({ license, of: packages.filter((each) => each.license === license) }))
		.sort((one, other) => other.of.length - one.of.length)
		.map(({ license, of }) => {
			const names = of.length < LISTED_BELOW ? of.map(({ name }) => `\`${name}\``).join(', ') : '';
			return `| ${license} | ${of.length} | ${names} |`;
		});
	return `# Licenses

Written by \`node scripts/licenses/write.mts\`. A unit test fails when it is out of date, or a license is missing or not
allowed.

What is published is this package alone, under ${own}. It has no dependencies: \`n8n-workflow\` is a peer that every n8n has.

For work on it these are installed (\`package-lock.json\`), and none of them is published:

| License | Packages | Which, if fewer than ${LISTED_BELOW} |
|---|---|---|
${rows.join('\n')}

\`SEE LICENSE IN LICENSE.md\` is n8n's Sustainable Use License.
`;
}
