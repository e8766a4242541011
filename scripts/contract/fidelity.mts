import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_ASSUMPTIONS, type AssumptionName, assumptionNames } from '../../test/support/fakeArgyle/assumed.mts';
import type { Assumption } from '../../test/support/fakeArgyle/assumptions.mts';
import { isJson } from '../../test/support/json.mts';
import { root } from '../../test/support/paths.mts';
import type { Result } from './check.mts';
import { CHECKS } from './checks/index.mts';

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

The nodes rely on facts about Argyle's API that no source states, or whose sources differ. \`npm run contract\` asks the
fake Argyle of our tests about each, and with a key the real service. With a key of Sandbox, that takes an afternoon:

1. \`npm run contract -- --url https://api-sandbox.argyle.com\` only reads. \`--write\` also creates subscriptions, users
   and reports of its own, and removes them. \`--mail-to\` and \`--deliver-to\` check invites and deliveries. The run
   names what the account can't show.
2. \`--save\` writes into this page what was seen. If it differs, the run names the files that depend on it. Change the
   first side of the assumption in \`test/support/fakeArgyle\`, and the tests say what has to follow.
3. \`--record\` stores the shapes of the answers, with made-up values, in \`test/support/recorded\`. Each becomes a test.

Each entry has the question, the side that we **believe**, the other unless it is plain, the source if there is one
(Argyle's OpenAPI file, what others have recorded, its docs), and what the real service did.
`;

/** The source of what no page or recorded reply says. */
const NO_SOURCE = 'nothing public';

/** Second sides that the first makes plain. */
const PLAIN = new Set(['yes', 'no', 'oldest first', 'newest first']);

const isReal = ({ where }: Seen) => where.startsWith('https:');

/** An item of a list, in lines of at most 120 characters. */
const listItem = (text: string) =>
	text
		.replace(/(.{1,118})( |$)/g, '  $1\n')
		.trimEnd()
		.replace(/^ /, '-');

function entryOf(name: AssumptionName, seenOf: ReadonlyMap<string, Seen>): string {
	const { question, sides, source, unchecked }: Assumption = ALL_ASSUMPTIONS[name];
	const seen = seenOf.get(name);
	const notes = [
		source === NO_SOURCE ? undefined : source,
		seen !== undefined && isReal(seen) ? `${seen.where} on ${seen.on}: ${seen.seen}` : undefined,
		unchecked === undefined ? undefined : `not asked: ${unchecked}`,
	];
	const known = notes.filter((note) => note !== undefined);
	const other = PLAIN.has(sides[1]) ? '' : `, or ${sides[1]}?`;
	return listItem(
		`\`${name}\`: ${question} **${sides[0]}**${other}${known.length === 0 ? '' : ` (${known.join('; ')})`}`,
	);
}

export function fidelityPage(seenOf: ReadonlyMap<string, Seen>): string {
	const names = assumptionNames();
	const real = [...seenOf.values()].filter(isReal).length;
	return [
		HEADING,
		`${names.length} assumptions, ${CHECKS.length} checks, ${real} of them seen at the real service.\n`,
		...names.map((name) => entryOf(name, seenOf)),
		'',
	].join('\n');
}

/** Stores what could be told. The fake never replaces what was seen at a real service. */
export function saveSeen(results: Result[], where: string): void {
	const seenOf = readSeen();
	const on = new Date().toISOString().slice(0, 10);
	const isFake = where === 'the fake Argyle';
	for (const { check, verdict, seen } of results) {
		const before = seenOf.get(check.assumption);
		// Of the fake, only a new answer is news.
		const isKnown = before !== undefined && (before.where !== where || before.seen === seen);
		if ((verdict === 'holds' || verdict === 'differs') && !(isFake && isKnown))
			seenOf.set(check.assumption, { seen, where, on });
	}
	const stored = Object.fromEntries(assumptionNames().map((name) => [name, seenOf.get(name)]));
	writeFileSync(SEEN_FILE, `${JSON.stringify(stored, null, '\t')}\n`);
	writeFileSync(PAGE, fidelityPage(seenOf));
}
