import { eventOfKey, isScanned, sourceOf } from '../../api/eventSources';
import type { ListedRecord } from './listedRecord';

/** Which events are caught up, and since when each counts, by Argyle's clock, in milliseconds since 1970. */
export class WantedEvents {
	/** By the event's name. */
	since: Record<string, number> = {};

	/** As `since`, for an event that a publish has added, until n8n's processed values have its earlier occurrences. */
	added: Record<string, number> = {};

	/** For each event that is chosen, but that static data did not have when n8n started: the time of this start. */
	private readonly unknown: Record<string, number> = {};

	/**
	 * Events that are wanted from the beginning count since the bookmark. An event that a publish adds later counts since
	 * that publish. If an event is new at a start of n8n, static data was set back, or an older version of this package
	 * did not know the event. Then n8n's processed values tell whether the event was wanted before `startedAt`.
	 */
	want(events: string[], bookmarkTime: number, now: number, startedAt?: number): void {
		const isBeginning = Object.keys(this.since).length === 0;
		for (const event of isBeginning ? [] : events.filter((each) => this.since[each] === undefined)) {
			if (startedAt === undefined) this.added[event] = now;
			else this.unknown[event] = startedAt;
		}
		const sinceOf = (event: string) => this.since[event] ?? this.added[event] ?? bookmarkTime;
		this.since = Object.fromEntries(events.map((event) => [event, sinceOf(event)]));
	}

	/**
	 * Forgets events that are no longer chosen. If a later publish adds one of them again, it counts from that publish on,
	 * even if the present publish fails. If none would be left, static data may have been set back. Then all stay, and
	 * `want` leaves the answer to n8n's processed values.
	 */
	drop(chosen: string[]): void {
		const kept = Object.entries(this.since).filter(([event]) => chosen.includes(event));
		if (kept.length > 0) this.since = Object.fromEntries(kept);
	}

	/** Whether only n8n's processed values, its durable store, can tell if the event was wanted when it happened. */
	isDoubtful({ key, createdAt }: Pick<ListedRecord, 'key' | 'createdAt'>): boolean {
		return createdAt <= this.unknown[eventOfKey(key)];
	}

	/** The last millisecond in which the event did not count, if a publish has added it. */
	addedAfter(key: string): number | undefined {
		const addedAt: number | undefined = this.added[eventOfKey(key)];
		return addedAt && addedAt - 1;
	}

	/** The earliest of the times since which the events count. */
	get firstTime(): number {
		return Math.min(...Object.values(this.since));
	}

	/** Whether one of the events is shown only by a scan of a whole list. */
	get areScanned(): boolean {
		return Object.keys(this.since)
			.map(sourceOf)
			.some((source) => source !== undefined && isScanned(source));
	}

	/** Whether the event is wanted. `Starts` leaves out what is before the bookmark. */
	has({ key, createdAt, begunAt = createdAt }: ListedRecord): boolean {
		const since = this.since[eventOfKey(key)];
		return since !== undefined && begunAt >= since;
	}
}
