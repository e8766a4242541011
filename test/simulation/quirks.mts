import { Random } from './random.mts';

const SECOND = 1_000;

/** How Argyle may be harder than it is believed to be, where nothing public tells. */
export interface Quirks {
	/** How many of all deliveries come late, and how late at most. */
	late: number;
	lateMs: number;
	/** How many deliveries that were answered are sent once more all the same. */
	repeated: number;
	/** After which failures a delivery is sent once more: also where no connection was made, or it broke off. */
	retries: 'as believed' | 'also unreached' | 'never';
	/** By how much the clock in `Date` is ahead of that of the records, since a proxy may write it. */
	dateAheadMs: number;
	/** How precise the times of forms are. */
	formDigits: 0 | 3 | 6;
	/** What comes in between shifts the pages of forms. */
	formsShift: boolean;
	/** Of an answer to too many requests. */
	retryAfter: string | undefined;
	/** How late the list of subscriptions shows a new one, and leaves out one that was deleted. */
	listedMs: number;
	showsSecrets: boolean;
	/** How many subscriptions of others there are. */
	foreign: number;
	deletedTwice: 204 | 404;
	createdStatus: 200 | 201;
	unsetConfig: object | null;
	/** An account that is connected, refused or synced is also reported as updated. */
	updatesAccounts: boolean;
	/** How many accounts are of a user who has one. */
	sameUser: number;
}

export const NO_QUIRKS: Quirks = {
	late: 0,
	lateMs: 0,
	repeated: 0,
	retries: 'as believed',
	dateAheadMs: 0,
	formDigits: 3,
	formsShift: false,
	retryAfter: '1',
	listedMs: 0,
	showsSecrets: true,
	foreign: 0,
	deletedTwice: 404,
	createdStatus: 201,
	unsetConfig: {},
	updatesAccounts: false,
	sameUser: 0,
};

/** Worlds with earlier seeds stay as they are: some of them once broke a promise. */
export const FIRST_WITH_QUIRKS = 50_000;
const hasQuirks = (seed: number) => (seed >= 40_000 && seed < 60_000) || seed >= 796_000_000;

/** Worlds in queue mode with other seeds stay as they are. */
export const FIRST_WITH_OVERLOADS = 61_000;
export const hasOverloads = (seed: number) => (seed >= FIRST_WITH_OVERLOADS && seed < 80_000) || seed >= 796_000_000;

/** Also from here on in each million of seeds: in queue mode with two main processes, or with a second workflow. */
export const FIRST_WITH_TWO_MAINS = 80_000;
export const FIRST_WITH_SECOND = 85_000;
const isAmong = (seed: number, from: number, to: number) => seed % 1_000_000 >= from && seed % 1_000_000 < to;

export const hasSecondWorkflow = (seed: number) => isAmong(seed, FIRST_WITH_SECOND, 95_000);

/** How many main processes there are in queue mode. */
export const drawMains = (seed: number): number =>
	isAmong(seed, FIRST_WITH_TWO_MAINS, 100_000) && new Random(seed ^ 0x2a15).chance(0.75) ? 2 : 1;

/** Drawn by random numbers of their own, so that all else in a world stays as it is. */
export function drawQuirks(seed: number): Quirks {
	if (!hasQuirks(seed)) return NO_QUIRKS;
	const random = new Random(seed ^ 0x9c1a);
	return {
		late: random.pick([0, 0.02, 0.2]),
		lateMs: random.pick([30, 100]) * SECOND,
		repeated: random.pick([0, 0, 0.05, 0.5]),
		retries: random.pick(['as believed', 'as believed', 'also unreached', 'never'] as const),
		dateAheadMs: random.pick([0, 0, -1_500, 1_500]),
		formDigits: random.pick([3, 3, 6, 0] as const),
		formsShift: random.chance(0.3),
		retryAfter: random.pick(['1', undefined, '20', '3600']),
		listedMs: random.pick([0, 0, 700, 8 * SECOND]),
		showsSecrets: random.chance(0.7),
		foreign: random.pick([0, 0, 250]),
		deletedTwice: random.pick([404, 204] as const),
		createdStatus: random.pick([201, 200] as const),
		unsetConfig: random.pick([{}, null]),
		updatesAccounts: random.chance(0.5),
		sameUser: random.pick([0, 0.5]),
	};
}

/** How many executions n8n runs at a time; undefined in earlier worlds. */
export const drawLimit = (seed: number): number | undefined =>
	hasQuirks(seed) ? new Random(seed ^ 0x1117).pick([Infinity, Infinity, 3, 8]) : undefined;
