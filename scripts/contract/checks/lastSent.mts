import type { Check } from '../check.mts';
import { type LastSentRun, lastSentRun } from '../lastSentRun.mts';
import { Undecided } from '../undecided.mts';

/** Whole seconds cut off as much. */
const SECOND = 1_000;

const hasFraction = (time: string) => /\.\d*[1-9]/.test(time);

/** What the subscription shows to which deliveries came. Throws Undecided when that says nothing of them. */
function shownBy({ signed, quiet }: LastSentRun): string {
	if (signed.value === undefined) throw new Undecided('last_sent_at stayed null for minutes after a delivery.');
	if (quiet.value !== undefined) throw new Undecided('last_sent_at moves though nothing is sent.');
	return signed.value;
}

function timeOfLastSent(run: LastSentRun): string {
	const value = shownBy(run);
	const tolerance = run.minute / 2 + (hasFraction(value) ? 0 : SECOND);
	const isNear = (lateMs: number) => run.arrivals.some((at) => Math.abs(Date.parse(value) - at - lateMs) < tolerance);
	return isNear(0) ? 'that of the sending' : isNear(run.minute) ? 'a minute later' : 'another one';
}

function lateness(run: LastSentRun): string {
	shownBy(run);
	const [first = 0] = run.ownArrivals;
	const { nullAt = first } = run.signed;
	return nullAt > first + 2 * run.minute ? 'later' : 'within two minutes';
}

const CHECKS: Array<[Check['assumption'], (run: LastSentRun) => string]> = [
	['lastSentAtMoves', ({ signed }) => (signed.value === undefined ? 'no' : 'yes')],
	[
		'lastSentAtOfFailures',
		({ signed, refused }) => {
			if (signed.value === undefined) throw new Undecided('last_sent_at moves with no delivery.');
			return refused.value === undefined ? 'no' : 'yes';
		},
	],
	['timeOfLastSent', timeOfLastSent],
	['lastSentAtIsShown', lateness],
	[
		'precisionOfLastSent',
		({ signed, refused }) => {
			if (signed.value === undefined) throw new Undecided('last_sent_at moves with no delivery.');
			// One time of a thousand is a whole second by chance.
			const isFiner = [signed.value, refused.value ?? ''].some(hasFraction);
			return isFiner ? 'milliseconds or finer' : 'whole seconds';
		},
	],
	['lastSentAtStays', ({ quiet }) => (quiet.value === undefined ? 'yes' : 'no')],
];

export const LAST_SENT_CHECKS: Check[] = CHECKS.map(([assumption, tell]) => ({
	assumption,
	dependants: ['nodes/Argyle/resources/webhook/subscriptionOutput.ts'],
	needs: 'deliveries',
	see: async (probe, own) => tell(await lastSentRun(probe, own)),
}));
