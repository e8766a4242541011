import { eventOfKey, isScanned, sourceOf } from '../../api/eventSources';
import type { ListedRecord } from './listedRecord';
import { Note } from './notes';

/** Since when each event counts, by its name, in milliseconds since 1970 by the clock that dates Argyle's records. */
type Since = Readonly<Record<string, number>>;

/** What this process knows of the wish. */
interface Known {
	/** The ID of the subscription. With Checking for Events, which has none, `boundToKey` of the API key. */
	boundTo: string;
	/** As `ArgyleClient.keyDigest`. */
	keyDigest: string;
	/** Of the events that are caught up. */
	since: Since;
}

const KEY_PREFIX = 'key ';

export const boundToKey = (keyDigest: string) => `${KEY_PREFIX}${keyDigest}`;

/** Returns the ID of the subscription that a wish is bound to. Undefined if it is bound to a key, or to nothing. */
export const subscriptionIn = (boundTo: string | undefined) =>
	boundTo?.startsWith(KEY_PREFIX) === false ? boundTo : undefined;

/**
 * Since when a person wants the events of one trigger, as far as this process knows:
 *
 *     unread ──know──▶ known ◀──know── new
 *        └───────begin───┴──────begin──▶┘
 *
 * - unread: n8n has booted, and neither Argyle's subscription nor static data was read yet.
 * - new: a person has begun to want events. They count since the subscription that is about to be made.
 * - known: each caught-up event counts since its time.
 */
export class Wish {
	private mode: 'unread' | 'new' | Known = 'unread';

	/** A new wish has become known, and no look has followed: what it shows with a date in the future is older. */
	readonly fresh = new Note<true>();

	get isUnread(): boolean {
		return this.mode === 'unread';
	}

	get isNew(): boolean {
		return this.mode === 'new';
	}

	get known(): Known | undefined {
		return typeof this.mode === 'string' ? undefined : this.mode;
	}

	begin(): void {
		this.mode = 'new';
	}

	know(known: Known): void {
		if (this.isNew) this.fresh.write(true);
		this.mode = known;
	}

	/**
	 * Forgets events that are no longer chosen. If a later publish adds one of them again, it counts from that publish on,
	 * even if the present publish fails.
	 */
	keep(chosen: string[]): void {
		const { known } = this;
		if (known === undefined) return;
		const since = Object.fromEntries(Object.entries(known.since).filter(([event]) => chosen.includes(event)));
		this.mode = { ...known, since };
	}

	/** Returns since when each of the chosen events counts: those that were not wanted yet since `now`. */
	sinceOfAll(chosen: string[], now: number): Since {
		return Object.fromEntries(chosen.map((event) => [event, this.sinceOf(event) ?? now]));
	}

	sinceOf(event: string): number | undefined {
		return this.known?.since[event];
	}

	/** The earliest of the times since which the events count, as far as they are known. */
	get firstTime(): number {
		const times = Object.values(this.known?.since ?? {});
		return times.length === 0 ? -Infinity : Math.min(...times);
	}

	/** Whether one of the events is shown only by a scan of a whole list. */
	get areScanned(): boolean {
		const sources = Object.keys(this.known?.since ?? {}).map(sourceOf);
		return sources.some((source) => source !== undefined && isScanned(source));
	}

	/** Whether the event is wanted. */
	has({ key, happenedAt, countsBy = happenedAt }: ListedRecord): boolean {
		const since = this.sinceOf(eventOfKey(key));
		return since !== undefined && countsBy >= since;
	}

	/** Whether the event is chosen, and happened before it was wanted. */
	isBefore({ key, happenedAt }: ListedRecord): boolean {
		const since = this.sinceOf(eventOfKey(key));
		return since !== undefined && happenedAt < since;
	}
}
