import { putNewest } from '../utils/lruMap';
import type { RetiredSecret } from './staticData';

/** What a trigger that was just removed leaves to its successor at the same address. */
export interface Removal {
	retired: RetiredSecret[];
	/** When the service surely held no subscription to the address any more; milliseconds since 1970. */
	at: number;
}

/** n8n registers a changed trigger again right after it removed it. */
const CLEARED_FOR_MS = 5_000;

/** Addresses that are remembered; the oldest goes first. */
const MOST_ADDRESSES = 1_000;

/**
 * Remembers, in the process that registers, what was removed a moment ago. A renamed trigger gets new static data, and
 * would lose the retired secrets; and what was removed just now need not be looked for again, while events get lost.
 */
export class RecentRemovals {
	private readonly left = new Map<string, Removal>();

	/** Notes what was left at an address. */
	record(url: string, handover: Removal): void {
		putNewest(this.left, url, handover, MOST_ADDRESSES);
	}

	/** Takes an address and the time; tells whether there is surely no subscription to it. */
	wasJustRemoved(url: string, now: number): boolean {
		const handover = this.left.get(url);
		return handover !== undefined && now - handover.at < CLEARED_FOR_MS;
	}

	/** Takes an address and the time; gives the secrets that were retired there and still verify, and forgets them. */
	takeRetiredSecrets(url: string, now: number): RetiredSecret[] {
		const handover = this.left.get(url);
		this.left.delete(url);
		return handover?.retired.filter(({ until }) => until > now) ?? [];
	}
}
