import type { ServiceWays } from './argyle.mts';
import type { Version } from './database.mts';
import type { Order } from './formList.mts';
import type { Climate, Step } from './history.mts';
import type { Ways } from './n8n.mts';
import { OTHER_EVENTS, type OtherEvent } from './occurrences.mts';
import { drawLimit, drawMains, type Quirks } from './quirks.mts';
import { Random } from './random.mts';
import { WITNESSES, type WitnessKind } from './sentTimes.mts';

const MINUTE = 60_000;

export type Mode = 'one process' | 'queue';

/** All that is drawn before a world begins. */
export interface Setting {
	mode: Mode;
	ways: Ways;
	service: Pick<ServiceWays, 'latencyMs' | 'order' | 'pageSize'>;
	others: Others;
	quirks: Quirks;
	hasGoneAccounts: boolean;
	/** What a person begins with. */
	version: Version;
	/** By how much n8n's clock is ahead. */
	aheadMs: number;
	hasSecondWorkflow: boolean;
	history: Step[];
	/** How long the history is, and the calm behind it. */
	historyMs: number;
	calmMs: number;
}

/** How the n8n of a world behaves. */
export function makeWays(random: Random, mode: Mode, seed: number): Ways {
	// By random numbers of its own, so that all else in a world stays as it is.
	const lateness = new Random(seed ^ 0x1a7e);
	return {
		lateStarts: lateness.pick([0, 0, 0, 0.5]),
		lateStartMs: lateness.pick([20_000, 200_000]),
		isQueue: mode === 'queue',
		usesPublicationService: random.chance(0.75),
		savesWebhookStaticData: random.chance(0.5),
		isEmitSilent: random.chance(0.15),
		keepsSuccesses: random.chance(0.8),
		hasExpressions: random.chance(0.5),
		busyMs: random.pick([30, 200, 200, 1_500]),
		laterNodesMs: random.pick([100, 5_000, 20 * MINUTE]),
		hasCounter: mode === 'one process' && random.chance(0.5),
		proxyStatus: random.pick([undefined, 502, 503]),
		canCallItself: random.chance(0.8),
		hasOtherTrigger: random.chance(0.6),
		limit: mode === 'queue' ? undefined : drawLimit(seed),
		mains: mode === 'queue' ? drawMains(seed) : 1,
	};
}

/** What kind of day it is. */
export function makeClimate(random: Random): Climate {
	return {
		formsPerHour: random.pick([1, 3, 6, 12]),
		lateMs: random.pick([1_000, 30_000, 4 * MINUTE]),
		hasGoneAccounts: random.chance(0.15),
		hasFutureForms: random.chance(0.08),
		hasOtherTenant: random.chance(0.2),
		incidents: random.whole(3, 16),
	};
}

export const firstVersion = (random: Random, others: OtherEvent[]): Version => ({
	trigger: 'on',
	receiveBy: random.pick(['webhook', 'webhook', 'polling']),
	hasForms: true,
	others,
	catchUp: true,
	tenant: 'A',
	revision: 0,
	otherRevision: 0,
});

/** How the service of a world behaves; what is drawn for other lists than that of forms is in `drawOthers`. */
export const drawService = (random: Random): Setting['service'] => ({
	order: random.pick<Order>(['newest first', 'newest first', 'nearly newest first', 'overlapping', 'shuffled']),
	latencyMs: random.pick([200, 200, 3_000]),
	pageSize: random.pick([200, 200, 10]),
});

/** What worlds draw beside the forms. */
export interface Others extends Pick<ServiceWays, 'lists' | 'witness'> {
	events: OtherEvent[];
	perHour: number;
}

/** Other events are there in each second ten thousand of seeds; the other worlds have forms alone. */
export const FIRST_WITH_OTHERS = 30_000;
const hasOthers = (seed: number) => Math.floor(seed / 10_000) % 2 === 1;

export const FORMS_ALONE: Others = {
	events: [],
	perHour: 0,
	lists: { order: 'newest first', shifts: false, pageSize: 200, digits: 3 },
	witness: 'never',
};

/** Drawn by random numbers of their own, so that all else in a world stays as it is. */
export const drawOthers = (seed: number, random: Random): Others =>
	hasOthers(seed) ? someOthers(random) : FORMS_ALONE;

export function someOthers(random: Random): Others {
	const lists = {
		order: random.pick(['newest first', 'newest first', 'newest first', 'shuffled'] as const),
		shifts: random.chance(0.5),
		pageSize: random.pick([200, 200, 5]),
		digits: random.pick([3, 3, 6, 0] as const),
	};
	const share = random.pick([0.15, 0.5, 1]);
	const events = OTHER_EVENTS.filter(() => random.chance(share));
	const perHour = random.pick([2, 6, 12]);
	const witness = random.chance(0.4) ? 'as believed' : random.pick<WitnessKind>(WITNESSES);
	return { events, perHour, lists, witness };
}
