import { isWithin } from '../../utils/clock';
import { LruMap } from '../../utils/lruMap';
import { SCAN_PAUSE_MS } from '../state/timing';
import type { EventList } from './eventList';

type ScannedList = Pick<EventList, 'credentialDigest' | 'events' | 'pageCount'> & { scan: () => Promise<unknown> };

/** The reading of a whole list, which runs or has ended. */
interface Reading {
	list: ScannedList;
	/** The readings of this process are numbered, because a clock can be set back. */
	number: number;
	/** Since when it runs, in milliseconds since 1970. */
	at: number;
	isRunning: boolean;
	end: Promise<unknown>;
}

/** The last reading for each key. All triggers with the key share it, because the rate is the account's. */
const readings = new LruMap<Reading>();
let readingCount = 0;

const isCurrent = ({ isRunning, at, list }: Reading) =>
	isRunning || isWithin(list.pageCount * SCAN_PAUSE_MS, at, Date.now());

function open(list: ScannedList): void {
	const reading: Reading = { list, number: ++readingCount, at: Date.now(), isRunning: true, end: list.scan() };
	const stop = () => (reading.isRunning = false);
	void reading.end.then(stop, () => {
		stop();
		if (readings.get(list.credentialDigest) === reading) readings.delete(list.credentialDigest);
	});
	readings.set(list.credentialDigest, reading);
}

/** Reads a whole list, because old records may have changed. It does so seldom, because this can take many requests. */
export class Scan {
	/** The number of the last reading before a scan became due. Undefined if none is due. */
	private dueAfter: number | undefined = readingCount;

	/**
	 * The number of the last reading that this trigger used. The reading itself holds a whole list, so it is not kept.
	 */
	private lastUsed: number | undefined;

	private readonly isRepeated: boolean;

	/** `isRepeated` says that nothing is delivered, so that only repeated scans find the events. */
	constructor(isRepeated: boolean) {
		this.isRepeated = isRepeated;
	}

	/** Makes a scan due, because an event was missed. */
	soon(): void {
		this.dueAfter = readingCount;
	}

	/**
	 * Reads the list to its end if that is due, or waits for another trigger that reads it. Returns the events of the scan
	 * that `list` does not have. The scan stays due when the list can't be read.
	 */
	async read(list: ScannedList) {
		for (;;) {
			readings.deleteWhere((reading) => !isCurrent(reading));
			const last = readings.get(list.credentialDigest);
			const current = last !== undefined && isCurrent(last) ? last : undefined;
			const isUsed = current !== undefined && current.number === this.lastUsed;
			if (this.dueAfter === undefined && (!this.isRepeated || isUsed)) return [];
			if (current === undefined || (!current.isRunning && (isUsed || this.isTooEarly(current)))) open(list);
			else if (!this.isTooEarly(current)) return await this.use(current, list);
			// That scan may have read the account before it changed, so another one has to follow. But two scans at a time would
			// take twice the rate.
			else await current.end.catch(() => {});
		}
	}

	private isTooEarly({ number }: Reading): boolean {
		return this.dueAfter !== undefined && number <= this.dueAfter;
	}

	private async use(reading: Reading, list: ScannedList): Promise<EventList['events']> {
		await reading.end;
		this.lastUsed = reading.number;
		this.dueAfter = undefined;
		const known = new Set(list.events.map(({ key }) => key));
		return reading.list.events.filter(({ key }) => !known.has(key));
	}
}
