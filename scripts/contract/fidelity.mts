import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
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

The nodes rely on facts about Argyle's API. Most of them are documented or were recorded. This page lists the others:
those that no source states, and those whose sources differ. \`npm run contract\` asks a service about each of them.
Without a key, it asks the fake Argyle of our tests, which takes the first side unless a test tells it otherwise. With a
key, it asks the real service (\`npm run contract -- --help\`).

Where an entry says "the fake Argyle", nobody has looked at the real service yet. Whoever has a key of Sandbox can do so
in an afternoon:

1. \`npm run contract -- --url https://api-sandbox.argyle.com\` reads only. With \`--write\` it also creates
   subscriptions, users and reports of its own, and removes them. With \`--mail-to\` and \`--deliver-to\` it also checks
   invites and deliveries.
2. At the end, the run names what the account can't show, and how to make it.
3. \`--save\` writes into this page what the run has seen. If something differs, the entry names the files that depend
   on it. Change the first side of the assumption in \`test/support/fakeArgyle\`, and the tests say what has to follow.
4. \`--record\` stores the shapes of the service's answers, with made-up values, in \`test/support/recorded\`. Each becomes
   a test: whether the nodes read it, and whether the fake's records have its fields.

The run writes this page, and a test compares it with the table of assumptions and with the checks. Each entry has the
question, the side that we **believe**, the other side, the source, what was seen last, and the files that depend on it.
`;

/** Breaks each part into lines of at most 120 characters, all of one item of a list. */
const listItem = (parts: string[]) =>
	parts
		.map((part) => part.replace(/(.{1,118})( |$)/g, '  $1\n').trimEnd())
		.join('\n')
		.replace(/^ /, '-');

function entryOf(name: AssumptionName, seenOf: ReadonlyMap<string, Seen>): string {
	const { question, sides, source, unchecked }: Assumption = ALL_ASSUMPTIONS[name];
	const seen = seenOf.get(name);
	const asked = seen === undefined ? 'Seen: never.' : `Seen: ${seen.seen} (${seen.where}, ${seen.on}).`;
	const last = unchecked === undefined ? asked : `Nothing asks for it, because ${unchecked}.`;
	const files = CHECKS.find(({ assumption }) => assumption === name)?.dependants ?? [];
	return listItem([
		`\`${name}\`: ${question} **${sides[0]}**, or ${sides[1]}?`,
		`Source: ${source}. ${last}`,
		...(files.length === 0 ? [] : [`Used by ${files.map((file) => `\`${basename(file)}\``).join(', ')}.`]),
	]);
}

export function fidelityPage(seenOf: ReadonlyMap<string, Seen>): string {
	const names = assumptionNames();
	const real = names.filter((name) => /^https:/.test(seenOf.get(name)?.where ?? '')).length;
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
