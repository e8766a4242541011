import type { Outage } from './argyle.mts';
import type { Version } from './database.mts';
import { drawHappening, type Happening } from './occurrences.mts';
import type { Random } from './random.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export const HISTORY_MS = 12 * HOUR;

export type Role = 'main' | 'webhook' | 'worker';

/** Something that happens in a world, at a time from its beginning. Each can be left out. */
export type Step = { at: number } & (
	| {
			does: 'submit';
			tenant: string;
			isOfLastAccount: boolean;
			lateMs: number;
			disorderMs: number;
			isGone: boolean;
			aheadMs: number;
	  }
	| { does: 'happens'; tenant: string; happening: Happening; lateMs: number }
	| { does: 'kill' | 'stop'; role: Role; place: number; downMs: number }
	| { does: 'publish'; set: Partial<Version>; isSecond?: boolean }
	| { does: 'unpublish'; isSecond?: boolean }
	| {
			does:
				| 'test'
				| 'delete the subscription'
				| 'stop an execution'
				| 'move to another n8n'
				| 'another main leads'
				| 'retry';
	  }
	| { does: 'Argyle fails'; how: Outage; forMs: number }
	| { does: 'the database is locked' | 'deliveries are lost' | 'the key is mistyped' | 'another key'; forMs: number }
	| { does: 'set the clock'; aheadMs: number }
	| { does: 'n8n is overloaded'; forMs: number }
);

/** How worlds differ before anything happens. */
export interface Climate {
	formsPerHour: number;
	/** How late the list shows a form, at most. */
	lateMs: number;
	hasGoneAccounts: boolean;
	hasFutureForms: boolean;
	hasOtherTenant: boolean;
	/** How many of everything else, in half a day. */
	incidents: number;
}

function formSteps(random: Random, climate: Climate): Step[] {
	const steps: Step[] = [];
	const submit = (at: number, isOfLastAccount = false) =>
		steps.push({
			at,
			does: 'submit',
			isOfLastAccount,
			tenant: climate.hasOtherTenant && random.chance(0.3) ? 'B' : 'A',
			lateMs: random.chance(0.8) ? random.between(0, 500) : random.mostlyShort(0, climate.lateMs),
			disorderMs: random.mostlyShort(0, 4 * MINUTE),
			isGone: climate.hasGoneAccounts && random.chance(0.05),
			aheadMs: climate.hasFutureForms && random.chance(0.02) ? random.between(HOUR, 400 * 24 * HOUR) : 0,
		});
	for (let at = 0; at < HISTORY_MS; at += (-Math.log(1 - random.next()) * HOUR) / climate.formsPerHour) {
		submit(at);
		if (random.chance(0.03))
			for (let more = random.whole(2, 25); more > 0; more--) submit(at + random.between(0, 3_000), random.chance(0.5));
	}
	return steps;
}

/**
 * In queue mode: many forms come together, and for a while no execution begins and no delivery is answered in time. So
 * executions of deliveries, of their repetitions and of what counts as missed begin together.
 */
export function overloads(random: Random): Step[] {
	const steps: Step[] = [];
	for (let left = random.whole(1, 3); left > 0; left--) {
		const at = random.between(10 * MINUTE, HISTORY_MS);
		steps.push({ at, does: 'n8n is overloaded', forMs: random.between(10_000, 3 * MINUTE) });
		const form = { isOfLastAccount: false, tenant: 'A', lateMs: 500, disorderMs: 0, isGone: false, aheadMs: 0 };
		for (let more = random.whole(5, 40); more > 0; more--)
			steps.push({ ...form, at: at + random.between(-5_000, 5_000), does: 'submit' });
	}
	return steps;
}

export const OUTAGES: [Outage, ...Outage[]] = ['500', '503', '429', 'silent', 'lost', 'unreachable', 'slow'];

const down = (random: Random) => random.mostlyShort(1_000, 90 * MINUTE);

/** What a person switches off, and on again after a while. */
export const SWITCHES: [Partial<Version>, Partial<Version>][] = [
	[{ trigger: 'disabled' }, { trigger: 'on' }],
	[{ trigger: 'absent' }, { trigger: 'on' }],
	[{ catchUp: false }, { catchUp: true }],
	[{ hasForms: false }, { hasForms: true }],
	[{ receiveBy: 'polling' }, { receiveBy: 'webhook' }],
	[{ receiveBy: 'webhook' }, { receiveBy: 'polling' }],
	[{ tenant: 'B' }, { tenant: 'A' }],
];

export const publishAgain = (at: number, random: Random): Step => ({
	at,
	does: 'publish',
	set: random.chance(0.5) ? { revision: random.whole(1, 9_999) } : { otherRevision: random.whole(1, 9_999) },
});

function processStep(at: number, random: Random, isQueue: boolean): Step {
	const role = isQueue ? random.pick<Role>(['main', 'webhook', 'worker', 'worker']) : 'main';
	const place = role === 'main' ? 0 : random.whole(0, role === 'webhook' ? 1 : 2);
	return { at, does: random.chance(0.7) ? 'kill' : 'stop', role, place, downMs: down(random) };
}

/** Half of all incidents happen while a form is on its way through n8n. */
function incidentTime(random: Random, forms: Step[]): number {
	const form = forms[random.whole(0, forms.length - 1)];
	if (form === undefined || random.chance(0.5)) return random.between(2 * MINUTE, HISTORY_MS);
	return Math.max(2 * MINUTE, form.at + random.mostlyShort(0, 40_000));
}

function incident(random: Random, isQueue: boolean, climate: Climate, forms: Step[]): Step[] {
	const at = incidentTime(random, forms);
	const later = at + random.mostlyShort(11 * MINUTE, 5 * HOUR);
	const forMs = random.mostlyShort(1_000, 70 * MINUTE);
	const choices: Array<[weight: number, make: () => Step[]]> = [
		[8, () => [processStep(at, random, isQueue)]],
		[2, () => [processStep(at, random, isQueue), processStep(at + random.between(0, 40_000), random, isQueue)]],
		[3, () => [publishAgain(at, random)]],
		[2, () => [{ at, does: 'unpublish' }, publishAgain(later, random)]],
		[
			4,
			() => {
				const [off, on] = random.pick([SWITCHES[0], ...SWITCHES.slice(1, climate.hasOtherTenant ? 7 : 6)]);
				return [
					{ at, does: 'publish', set: off },
					{ at: later, does: 'publish', set: on },
				];
			},
		],
		[5, () => [{ at, does: 'Argyle fails', how: random.pick(OUTAGES), forMs }]],
		[3, () => [{ at, does: 'the database is locked', forMs: random.mostlyShort(200, 3 * MINUTE) }]],
		[3, () => [{ at, does: 'deliveries are lost', forMs }]],
		[1, () => [{ at, does: 'the key is mistyped', forMs }]],
		[1, () => [{ at, does: 'another key', forMs }]],
		[1, () => [{ at, does: 'delete the subscription' }]],
		[2, () => [{ at, does: 'stop an execution' }]],
		[1, () => [{ at, does: 'test' }]],
		[1, () => [{ at, does: 'set the clock', aheadMs: random.between(-4, 4) * MINUTE }]],
		[1, () => [{ at, does: 'move to another n8n' }]],
	];
	let turn = random.between(
		0,
		choices.reduce((sum, [weight]) => sum + weight, 0),
	);
	const [, make] = choices.find(([weight]) => (turn -= weight) < 0) ?? choices[0];
	return make();
}

/** Half a day, from its seed. */
export function makeHistory(random: Random, isQueue: boolean, climate: Climate): Step[] {
	const forms = formSteps(random, climate);
	const steps: Step[] = [{ at: MINUTE, does: 'publish', set: {} }, ...forms];
	for (let made = 0; made < climate.incidents; made++) steps.push(...incident(random, isQueue, climate, forms));
	return steps.filter(({ at }) => at < HISTORY_MS).sort((one, other) => one.at - other.at);
}

/** What happens beside forms, a third of it within moments of something else. */
export function otherSteps(
	random: Random,
	perHour: number,
	climate: Pick<Climate, 'hasOtherTenant' | 'lateMs'>,
	history: Step[],
	historyMs = HISTORY_MS,
): Step[] {
	const steps: Step[] = [];
	for (let at = 0; at < historyMs; at += (-Math.log(1 - random.next()) * HOUR) / perHour) {
		const other = history[random.whole(0, history.length - 1)];
		const isNear = other !== undefined && random.chance(0.33);
		const step: Step = {
			at: isNear ? other.at + random.mostlyShort(0, 40_000) : at,
			does: 'happens',
			tenant: climate.hasOtherTenant && random.chance(0.3) ? 'B' : 'A',
			happening: drawHappening(random),
			lateMs: random.chance(0.8) ? random.between(0, 500) : random.mostlyShort(0, climate.lateMs),
		};
		steps.push(step);
		// Of the same moment, and another record.
		if (random.chance(0.1)) steps.push({ ...step });
	}
	return steps.filter(({ at }) => at < historyMs);
}

const timeOfDay = (ms: number) => new Date(ms).toISOString().slice(11, 23);

/** One line for a person. */
export function describe({ at, does, ...more }: Step): string {
	const details = Object.entries(more).map(([name, value]) => {
		if (typeof value === 'number' && name.endsWith('Ms'))
			return value === 0 ? '' : `${name} ${(value / 1_000).toFixed(1)} s`;
		return value === false ? '' : `${name} ${JSON.stringify(value)}`;
	});
	return `${timeOfDay(at)} ${does}  ${details.filter(Boolean).join(', ')}`;
}
