// `npm run bench [-- a b …]`: every figure of speed and memory that the README names, each side measured in the same run. All parts,
// or those that are named; a run of all of them is written to results.md.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/paths.mts';
import { deliveries } from './deliveries.mts';
import { machine } from './markdown.mts';
import { growth, largeReceipts, manyReceipts } from './receipts.mts';
import { verification } from './verification.mts';
import { weight } from './weight.mts';

const PARTS: Record<string, () => Promise<string>> = {
	a: manyReceipts,
	b: growth,
	c: largeReceipts,
	d: deliveries,
	e: verification,
	f: weight,
};

const named = process.argv.slice(2);
const unknown = named.filter((name) => PARTS[name] === undefined);
if (unknown.length > 0) throw new Error(`No part ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}`);
const sections = [`# Figures\n\n${machine()}\n`];
console.log(sections[0]);
for (const [name, measure] of Object.entries(PARTS)) {
	if (named.length > 0 && !named.includes(name)) continue;
	const text = (await measure()).replace('## ', `## ${name}) `);
	console.log(text);
	sections.push(text);
}
if (named.length === 0) writeFileSync(join(root, 'test', 'performance', 'results.md'), sections.join('\n'));
