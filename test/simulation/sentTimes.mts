import type { Timeline } from './timeline.mts';

/**
 * What a subscription's `last_sent_at` does. All recorded replies were written a minute after the sending that they
 * name; whether those in between are named is not known.
 */
export const WITNESSES = [
	'as believed',
	'as believed, the first of a minute',
	'on success only',
	'a minute late',
	'shown late',
	'never',
	'whole seconds',
	'without a send',
] as const;

export type WitnessKind = (typeof WITNESSES)[number];

const MINUTE = 60_000;
const WRITTEN_AFTER_MS = 60_300;

interface Sending {
	at: number;
	isTaken: boolean;
}

/** When something was sent to each subscription, and what the service shows of it. */
export class SentTimes {
	private readonly timeline: Timeline;

	private readonly kind: WitnessKind;

	private readonly sendings = new Map<string, Sending[]>();

	constructor(timeline: Timeline, kind: WitnessKind) {
		this.timeline = timeline;
		this.kind = kind;
	}

	note(subscription: string, sending: Sending): void {
		const known = this.sendings.get(subscription) ?? [];
		this.sendings.set(
			subscription,
			[...known, sending].sort((one, other) => one.at - other.at),
		);
	}

	/** What the list of subscriptions shows now. */
	shown(subscription: string): string | null {
		const { now } = this.timeline;
		const all = this.sendings.get(subscription) ?? [];
		if (this.kind === 'without a send') return new Date(now - (now % (7 * MINUTE))).toISOString();
		if (this.kind === 'never') return null;
		const lateMs = this.kind === 'shown late' ? 10 * MINUTE : WRITTEN_AFTER_MS;
		let named: number | undefined;
		for (const { at, isTaken } of all) {
			if (at + lateMs > now || (this.kind === 'on success only' && !isTaken)) continue;
			if (this.kind === 'as believed, the first of a minute' && named !== undefined && at < named + WRITTEN_AFTER_MS)
				continue;
			named = at;
		}
		if (named === undefined) return null;
		const text = new Date(named + (this.kind === 'a minute late' ? MINUTE : 0)).toISOString();
		return this.kind === 'whole seconds' ? text.replace(/\.\d+/, '') : text;
	}
}
