// `npm run bench [-- NAME …]`: without names all but those that take long. A section replaces the one of its heading.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import prepareQueue from '../e2e/queue/prepare.mjs';
import { root } from '../support/paths.mts';
import { atRest } from './atRest.mts';
import { deliveries } from './deliveries.mts';
import { invites } from './invites.mts';
import { replaceSection } from './markdown.mts';
import { memory } from './memory.mts';
import { missedForms } from './missedForms.mts';
import { publish } from './publish.mts';
import { receipts } from './receipts.mts';
import { records } from './records.mts';
import { refusal } from './refusal.mts';
import { sharedAccount } from './sharedAccount.mts';
import { slowService } from './slowService.mts';
import { uploads } from './uploads.mts';
import { verification } from './verification.mts';
import { weight } from './weight.mts';

type Bench = () => AsyncGenerator<string>;

const BENCHES: Record<string, Bench> = {
	receipts,
	sharedAccount,
	memory,
	uploads,
	invites,
	records,
	deliveries,
	verification,
	weight,
	refusal,
	slowService,
	publish,
	missedForms,
	atRest,
};
/** What users ask for, and the rest. */
const PAGES = ['docs/performance.md', 'test/performance/results.md'].map((page) => join(root, page));

/** They take half an hour and more, and are run by their names. */
const LONG = [publish.name, missedForms.name, atRest.name];

const requested = process.argv.slice(2);
const names = requested.length > 0 ? requested : Object.keys(BENCHES).filter((name) => !LONG.includes(name));
const unknown = names.filter((name) => BENCHES[name] === undefined);
if (unknown.length > 0) throw new Error(`No bench ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}`);

await prepareQueue();
for (const [name, bench] of Object.entries(BENCHES))
	if (names.includes(name))
		for await (const section of bench()) {
			console.log(`${section}\n`);
			for (const page of PAGES) writeFileSync(page, replaceSection(readFileSync(page, 'utf8'), section));
		}
