import { LruMap } from '../utils/lruMap';
import type { RetiredSecret } from './staticData';

interface Removal {
	retired: RetiredSecret[];
	/** When the service certainly had no subscription to the URL any more, in milliseconds since 1970. */
	at: number;
}

/** n8n registers a changed trigger again right after it removed it. */
const RECENT_MS = 5_000;

const MAX_URLS = 1_000;

/**
 * Removals of this process. A renamed trigger gets new static data and would lose its retired secrets, and what was
 * just removed need not be searched for again, because events are lost meanwhile.
 */
export class RecentRemovals {
	private readonly removals = new LruMap<Removal>(MAX_URLS);

	record(url: string, removal: Removal): void {
		this.removals.set(url, removal);
	}

	/** Whether the service certainly has no subscription to the URL. */
	wasJustRemoved(url: string, now: number): boolean {
		const removal = this.removals.get(url);
		return removal !== undefined && now - removal.at < RECENT_MS;
	}

	/** Returns the secrets that still verify, and forgets them. */
	takeRetiredSecrets(url: string, now: number): RetiredSecret[] {
		const removal = this.removals.get(url);
		this.removals.delete(url);
		return removal?.retired.filter(({ until }) => until > now) ?? [];
	}
}
