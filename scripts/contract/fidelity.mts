import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_ASSUMPTIONS, type AssumptionName, assumptionNames } from '../../test/support/fakeArgyle/assumed.mts';
import { isJson } from '../../test/support/json.mts';
import { root } from '../../test/support/paths.mts';
import type { Result } from './check.mts';
import { CHECKS } from './checks/index.mts';
import { UNCHECKED } from './checks/writes.mts';

const SEEN_FILE = join(root, 'scripts', 'contract', 'seen.json');

const PAGE = join(root, 'docs', 'fidelity.md');

/** What was seen of an assumption the last time that it could be told. */
interface Seen {
	seen: string;
	/** The address of the service, or that it is the fake. */
	where: string;
	/** Year, month and day. */
	on: string;
}

export function readSeen(): Map<string, Seen> {
	const stored: unknown = JSON.parse(readFileSync(SEEN_FILE, 'utf8'));
	const entries = Object.entries(isJson(stored) ? stored : {}).flatMap(
		([name, value]): Array<[string, Seen]> =>
			isJson(value) ? [[name, { seen: String(value.seen), where: String(value.where), on: String(value.on) }]] : [],
	);
	return new Map(entries);
}

const HEADING = `# What we believe of Argyle

The nodes rest on what is known of Argyle's API. Much of it is documented or was recorded; what is listed here is not,
or its sources differ. \`npm run contract\` asks a service for each of them: without a key the fake Argyle of our tests,
which takes the first side unless a test tells it otherwise, and with a key the real one (\`npm run contract -- --help\`).

Every test that looks at such an answer runs against the fake. So where **Last seen** says "the fake Argyle", nobody has
looked at the real service yet. Whoever has a key of Sandbox can, in an afternoon:

1. \`npm run contract -- --url https://api-sandbox.argyle.com\` reads only. With \`--write\` it also creates
   subscriptions, users and reports of its own and removes them; \`--mail-to\` and \`--deliver-to\` let it check invites
   and deliveries.
2. What the account can't show is named at the end, with the way to make it.
3. \`--save\` writes what was seen into this page. What differs names the files that depend on it. Change the first side
   of the assumption in \`test/support/fakeArgyle\`, and the tests say what has to follow.
4. \`--record\` stores the forms of the service's answers, with made-up values, in \`test/support/recorded\`. Each becomes a
   test: whether the nodes read it, and whether the fake's records have its fields.

This page is written by the run, and a test holds it to the table of assumptions and to the checks.
`;

const cell = (text: string) => text.replaceAll('|', '\\|');

function rowOf(name: AssumptionName, seenOf: ReadonlyMap<string, Seen>): string {
	const { question, sides, source } = ALL_ASSUMPTIONS[name];
	const seen = seenOf.get(name);
	const last = UNCHECKED[name] ?? (seen === undefined ? 'never' : `${seen.seen} (${seen.where}, ${seen.on})`);
	const files = CHECKS.find(({ assumption }) => assumption === name)?.dependants ?? [];
	const links = files.map((file) => `[${file.split('/').at(-1)}](../${file})`).join(', ');
	return `| \`${name}\` | ${[`${question} **${sides[0]}**, or ${sides[1]}?`, source, last, links].map(cell).join(' | ')} |`;
}

/** The whole page. */
export function fidelityPage(seenOf: ReadonlyMap<string, Seen>): string {
	const names = assumptionNames();
	const real = names.filter((name) => /^https:/.test(seenOf.get(name)?.where ?? '')).length;
	return [
		HEADING,
		`${names.length} assumptions, ${CHECKS.length} checks, ${real} of them seen at the real service.\n`,
		'| Check | Question, what we **believe**, and what else it may be | Source | Last seen | What depends on it |',
		'|---|---|---|---|---|',
		...names.map((name) => rowOf(name, seenOf)),
		'',
	].join('\n');
}

/** Stores what could be told. The fake never replaces what was seen at a real service. */
export function saveSeen(results: Result[], where: string): void {
	const seenOf = readSeen();
	const on = new Date().toISOString().slice(0, 10);
	const isFake = where === 'the fake Argyle';
	for (const { check, verdict, seen } of results) {
		const isKnown = /^https:/.test(seenOf.get(check.assumption)?.where ?? '');
		if ((verdict === 'holds' || verdict === 'differs') && !(isFake && isKnown))
			seenOf.set(check.assumption, { seen, where, on });
	}
	const stored = Object.fromEntries(assumptionNames().map((name) => [name, seenOf.get(name)]));
	writeFileSync(SEEN_FILE, `${JSON.stringify(stored, null, '\t')}\n`);
	writeFileSync(PAGE, fidelityPage(seenOf));
}
