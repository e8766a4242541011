import { OUTAGES, otherSteps, publishAgain, type Role, type Step, SWITCHES } from './history.mts';
import { NO_QUIRKS } from './quirks.mts';
import { Random } from './random.mts';
import { drawService, firstVersion, FORMS_ALONE, makeWays, type Mode, type Setting, someOthers } from './variety.mts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** A world has so many events. In life there are days between them, here time enough to end most of what each began. */
const EVENTS = 4;
const FIRST_MS = 15 * MINUTE;
const APART_MS = 40 * MINUTE;

const PLACES: Record<Mode, Record<Role, number>> = {
	'one process': { main: 1, webhook: 0, worker: 0 },
	queue: { main: 1, webhook: 2, worker: 3 },
};

type Draw = (at: number, random: Random, mode: Mode) => Step[];

/** One process or all of them, a moment apart. */
function end(does: 'stop' | 'kill', isOfAll: boolean, at: number, random: Random, mode: Mode): Step[] {
	const { main, webhook, worker } = PLACES[mode];
	const downMs = random.mostlyShort(5 * SECOND, 30 * MINUTE);
	const step = (role: Role) => (_: unknown, place: number) => ({
		...({ at: at + random.between(0, SECOND), does, role, place } as const),
		downMs,
	});
	const steps = [
		...Array.from({ length: main }, step('main')),
		...Array.from({ length: webhook }, step('webhook')),
		...Array.from({ length: worker }, step('worker')),
	];
	return isOfAll ? steps : [steps[random.whole(0, steps.length - 1)]];
}

const outageMs = (random: Random) => random.mostlyShort(5 * SECOND, 30 * MINUTE);

/** A person sees a failed execution. */
const retry = (at: number, random: Random): Step => ({ at: at + random.between(5, 30) * MINUTE, does: 'retry' });

/** How often each happens to one published workflow in a year. */
const YEAR: Array<[times: number, draw: Draw]> = [
	[50, (at, random, mode) => end('stop', random.chance(0.7), at, random, mode)],
	[4, (at, random, mode) => [...end('kill', random.chance(0.3), at, random, mode), retry(at, random)]],
	// Thirty changes are published: by a person, by a script that deactivates and activates, or after a pause.
	[20, (at, random) => [publishAgain(at, random)]],
	[
		6,
		(at, random) => [
			{ at, does: 'unpublish' },
			{ ...publishAgain(at, random), at: at + random.between(0, 20 * SECOND) },
		],
	],
	[
		4,
		(at, random) => {
			const [off, on] = random.pick([SWITCHES[0], SWITCHES[1], SWITCHES[2]]);
			const pause: Step = random.chance(0.4) ? { at, does: 'unpublish' } : { at, does: 'publish', set: off };
			return [pause, { at: at + random.between(11, 30) * MINUTE, does: 'publish', set: on }];
		},
	],
	[12, (at, random) => [{ at, does: 'Argyle fails', how: random.pick(OUTAGES), forMs: outageMs(random) }]],
	[1, (at, random) => [{ at, does: 'another key', forMs: outageMs(random) }]],
	[
		4,
		(at, random) => [
			{ at, does: 'the database is locked', forMs: random.mostlyShort(SECOND, 3 * MINUTE) },
			retry(at, random),
		],
	],
	[0.2, (at, random) => [{ at, does: 'set the clock', aheadMs: random.between(-4, 4) * MINUTE }]],
	[0.2, (at) => [{ at, does: 'delete the subscription' }]],
	[0.2, (at) => [{ at, does: 'move to another n8n' }]],
];

const A_YEAR = YEAR.reduce((sum, [times]) => sum + times, 0);

/** So many years of one workflow are in a world. */
export const YEARS_OF_A_WORLD = EVENTS / A_YEAR;

/** Some forms before it, as it begins, and until it is over. */
function formsRound(at: number, random: Random): Step[] {
	const form = { does: 'submit', tenant: 'A', isOfLastAccount: false, isGone: false, aheadMs: 0 } as const;
	return Array.from({ length: random.whole(3, 8) }, () => ({
		...form,
		at: random.chance(0.5) ? at + random.between(-40, 90) * SECOND : at + random.between(-10, 35) * MINUTE,
		lateMs: random.chance(0.9) ? random.between(0, 500) : random.mostlyShort(0, 30_000),
		disorderMs: 0,
	}));
}

function drawEvent(random: Random): Draw {
	let turn = random.between(0, A_YEAR);
	const [, draw] = YEAR.find(([times]) => (turn -= times) < 0) ?? YEAR[0];
	return draw;
}

/** Half of the worlds have other events than forms, a third are in queue mode. */
const lifeMode = (seed: number): Mode => (seed % 3 === 0 ? 'queue' : 'one process');
const hasOthers = (seed: number) => seed % 2 === 0;

/** Some hours as they are in life: a few of the events of a year, and forms round each. */
export function drawLife(seed: number): Setting {
	const random = new Random(seed ^ 0x11fe);
	const mode = lifeMode(seed);
	const ways = {
		...makeWays(random, mode, seed),
		lateStarts: 0.015,
		hasOtherTrigger: random.chance(0.1),
		hasCounter: mode === 'one process' && random.chance(0.05),
		limit: mode === 'one process' ? Infinity : undefined,
		mains: 1,
	};
	const others = hasOthers(seed) ? someOthers(random) : FORMS_ALONE;
	const version = firstVersion(random, others.events);
	const steps: Step[] = [{ at: MINUTE, does: 'publish', set: {} }];
	for (let event = 0; event < EVENTS; event++) {
		const at = FIRST_MS + (event + random.between(0, 0.5)) * APART_MS;
		steps.push(...drawEvent(random)(at, random, mode), ...formsRound(at, random));
	}
	const historyMs = FIRST_MS + EVENTS * APART_MS;
	const climate = { hasOtherTenant: false, lateMs: 1_000 };
	if (others.events.length > 0) steps.push(...otherSteps(random, others.perHour, climate, [...steps], historyMs));
	const history = steps.sort((one, other) => one.at - other.at);
	const world = { mode, ways, service: drawService(random), others, quirks: NO_QUIRKS, version, history, historyMs };
	const aheadMs = random.between(-2_000, 2_000);
	return { ...world, aheadMs, hasGoneAccounts: random.chance(0.02), hasSecondWorkflow: false, calmMs: 40 * MINUTE };
}
