import { eventOfKey, isScanned, sourceOf } from '../../api/eventSources';
import type { ListedRecord } from './listedRecord';

/** Which events are caught up, and since when each of them counts. All times by Argyle's clock. */
export class WantedEvents {
	/** By the event's name, in milliseconds since 1970. */
	since: Record<string, number> = {};

	/** Events that are wanted from the beginning count since the bookmark. One that is wanted later counts since then. */
	want(events: string[], bookmarkTime: number, now: number): void {
		const begin = Object.keys(this.since).length === 0 ? bookmarkTime : now;
		this.since = Object.fromEntries(events.map((event) => [event, this.since[event] ?? begin]));
	}

	/** Since when the first of them counts, in milliseconds since 1970. */
	get firstTime(): number {
		return Math.min(...Object.values(this.since));
	}

	/** Whether only a scan of a whole list shows one of them. */
	get areScanned(): boolean {
		return Object.keys(this.since)
			.map(sourceOf)
			.some((source) => source !== undefined && isScanned(source));
	}

	/** If the bookmark is of the same moment, its key decides. */
	has({ key, createdAt, begunAt = createdAt }: ListedRecord): boolean {
		const since = this.since[eventOfKey(key)];
		return since !== undefined && begunAt >= since;
	}
}
