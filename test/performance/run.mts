// `npm run bench [-- NAME …]`: without names all benches but publish; then their figures replace those in docs.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import prepareQueue from '../e2e/queue/prepare.mjs';
import { root } from '../support/paths.mts';
import { deliveries } from './deliveries.mts';
import { conditions, replaceBlock } from './markdown.mts';
import { publish } from './publish.mts';
import { receipts } from './receipts.mts';
import { refusal } from './refusal.mts';
import { verification } from './verification.mts';
import { weight } from './weight.mts';

const BENCHES = new Map(
	[receipts, deliveries, verification, weight, refusal, publish].map((bench) => [bench.name, bench]),
);
const PAGE = join(root, 'docs', 'performance.md');

const requested = process.argv.slice(2);
const names = requested.length > 0 ? requested : [...BENCHES.keys()].filter((name) => name !== publish.name);
const unknown = names.filter((name) => !BENCHES.has(name));
if (unknown.length > 0) throw new Error(`No bench ${unknown.join(', ')}; there are ${[...BENCHES.keys()].join(', ')}`);

await prepareQueue();
const sections = [conditions()];
console.log(`${sections[0]}\n`);
for (const name of names)
	for (const section of (await BENCHES.get(name)?.()) ?? []) {
		console.log(`${section}\n`);
		sections.push(section);
	}
if (requested.length === 0) writeFileSync(PAGE, replaceBlock(readFileSync(PAGE, 'utf8'), sections));
