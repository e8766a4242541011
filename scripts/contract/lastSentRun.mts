import { setTimeout as wait } from 'node:timers/promises';
import { deliveryRun } from './deliveryRun.mts';
import type { OwnObjects } from './ownObjects.mts';
import type { Probe } from './probe.mts';
import { Undecided } from './undecided.mts';

/** How long a subscription may take to show that something was sent, before it counts as if it never did. */
const PATIENCE_MINUTES = 5;

/** A little off, so that a clock which is right counts as right. */
const CLOCK_TOLERANCE_MS = 2_000;

/** What `last_sent_at` of one subscription has shown. */
interface LastSent {
	/** Undefined when it was null all the time. */
	value: string | undefined;
	/** The last moment at which it was still null, by our clock; undefined when it never was. */
	nullAt: number | undefined;
}

export interface LastSentRun {
	signed: LastSent;
	refused: LastSent;
	/** Of a subscription to which nothing was sent. */
	quiet: LastSent;
	/** When deliveries came to the door that takes them, by the service's clock and by ours. */
	arrivals: number[];
	ownArrivals: number[];
	minute: number;
}

type Watched = 'signed' | 'refused' | 'quiet';

async function observe(probe: Probe, own: OwnObjects): Promise<LastSentRun> {
	const { received, subscriptions } = await deliveryRun(probe, own);
	const minute = probe.target.minuteMs;
	const seen: Record<Watched, LastSent> = {
		signed: { value: undefined, nullAt: undefined },
		refused: { value: undefined, nullAt: undefined },
		quiet: { value: undefined, nullAt: undefined },
	};
	let ahead = 0;
	const read = async (name: Watched) => {
		const at = Date.now();
		const { status, headers, body } = await probe.ask('GET', `/v2/webhooks/${subscriptions.get(name) ?? ''}`);
		if (status !== 200) throw new Undecided(`A webhook subscription can't be read (${status}).`);
		const offset = Date.parse(headers.get('date') ?? '') - Date.now();
		if (Math.abs(offset) > CLOCK_TOLERANCE_MS) ahead = offset;
		const value = Object(body).last_sent_at;
		if (typeof value === 'string') seen[name].value = value;
		else seen[name].nullAt = at;
	};
	const began = Date.now();
	let shownAt: number | undefined;
	const isOver = (now: number) =>
		(seen.signed.value !== undefined && seen.refused.value !== undefined) ||
		// The one was sent to when the other was.
		(shownAt !== undefined && now > shownAt + minute) ||
		now > began + PATIENCE_MINUTES * minute;
	do {
		await wait(minute / 12);
		for (const name of ['signed', 'refused', 'quiet'] as const) await read(name);
		if (seen.signed.value !== undefined) shownAt ??= Date.now();
	} while (!isOver(Date.now()));
	const ownArrivals = received.signed.map(({ at }) => at);
	return { ...seen, minute, ownArrivals, arrivals: ownArrivals.map((at) => at + ahead) };
}

const runs = new WeakMap<Probe, Promise<LastSentRun>>();

/** What the subscriptions of the delivery run show of it, watched once. Throws Undecided. */
export async function lastSentRun(probe: Probe, own: OwnObjects): Promise<LastSentRun> {
	const run = runs.get(probe) ?? observe(probe, own);
	runs.set(probe, run);
	return await run;
}
