// `npm run bench [-- NAME …]`: without names all but those that take long. A section replaces the one of its heading.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import prepareN8n from '../support/n8n/prepare.mjs';
import { root } from '../support/paths.mts';
import { deliveries } from './deliveries.mts';
import { longWork } from './longWork.mts';
import { looks } from './looks.mts';
import { replaceSection } from './markdown.mts';
import { missedForms } from './missedForms.mts';
import { receipts } from './receipts.mts';
import { sharedAccount } from './sharedAccount.mts';

type Bench = () => AsyncGenerator<string>;

const BENCHES: Record<string, Bench> = {
	receipts,
	sharedAccount,
	deliveries,
	looks,
	longWork,
	missedForms,
};

const PAGE = join(root, 'test/performance/results.md');

/** They take half an hour and more, and are run by their names. */
const LONG = [missedForms.name];

const requested = process.argv.slice(2);
const names = requested.length > 0 ? requested : Object.keys(BENCHES).filter((name) => !LONG.includes(name));
const unknown = names.filter((name) => BENCHES[name] === undefined);
if (unknown.length > 0) throw new Error(`No bench ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}`);

await prepareN8n();
for (const [name, bench] of Object.entries(BENCHES))
	if (names.includes(name))
		for await (const section of bench()) {
			console.log(`${section}\n`);
			writeFileSync(PAGE, replaceSection(readFileSync(PAGE, 'utf8'), section));
		}
