import type { LicensedPackage } from './packages.mts';

/** The licences that may be installed for work on this project, and by whom, where that matters. None of these packages is published. */
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

/** A licence with fewer packages than this has them listed by name. */
const FEW = 20;

/** Takes the packages; gives those whose licence is missing or not allowed, as "name: licence". */
export function notAllowed(packages: LicensedPackage[]): string[] {
	return packages
		.filter(({ name, licence }) => ALLOWED[licence]?.test(name) !== true)
		.map(({ name, licence }) => `${name}: ${licence === '' ? 'none stated' : licence}`);
}

/** Takes the own licence and the packages; gives the text of `docs/licences.md`. */
export function licenceTable(own: string, packages: LicensedPackage[]): string {
	const rows = [...new Set(packages.map(({ licence }) => licence))]
		.map((licence) => ({ licence, of: packages.filter((each) => each.licence === licence) }))
		.sort((one, other) => other.of.length - one.of.length)
		.map(({ licence, of }) => {
			const names = of.length < FEW ? of.map(({ name }) => `\`${name}\``).join(', ') : '';
			return `| ${licence} | ${of.length} | ${names} |`;
		});
	return `# Licences

Written by \`npm run licences\`; a unit test tells when it is out of date, and when a licence is missing or not allowed.

What is published is this package alone, under ${own}. It has no dependencies: \`n8n-workflow\` is a peer that every n8n has.

For work on it these are installed (\`package-lock.json\`), and none of them is published:

| Licence | Packages | Which, if fewer than ${FEW} |
|---|---|---|
${rows.join('\n')}

\`SEE LICENSE IN LICENSE.md\` is n8n's Sustainable Use License.
`;
}
