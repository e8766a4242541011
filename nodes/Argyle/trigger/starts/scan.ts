import { isWithin } from '../../utils/clock';
import { SCAN_PAUSE_MS } from '../state/timing';
import type { EventList } from './eventList';

/** Reads whole lists, in which old records may have changed: seldom, since it can take many requests. */
export class Scan {
	/** True at first, because n8n may have been away. */
	private isDue = true;

	private last = { at: 0, requests: 0 };

	private readonly isRepeated: boolean;

	/** `isRepeated` says that nothing is delivered, so that only scans find such events. */
	constructor(isRepeated: boolean) {
		this.isRepeated = isRepeated;
	}

	/** An event was missed. */
	soon(): void {
		this.isDue = true;
	}

	/** Reads the lists if that is due. It stays due when a list can't be read. */
	async read(lists: Array<Pick<EventList, 'scan' | 'pageCount'>>): Promise<void> {
		const now = Date.now();
		const { at, requests } = this.last;
		const isAgain = this.isRepeated && !isWithin(requests * SCAN_PAUSE_MS, at, now);
		if (!this.isDue && !isAgain) return;
		for (const list of lists) await list.scan();
		this.isDue = false;
		this.last = { at: now, requests: lists.reduce((sum, { pageCount }) => sum + pageCount, 0) };
	}
}
