import { isWithin } from '../../utils/clock';
import { LruMap } from '../../utils/lruMap';
import { MAX_TRIGGERS } from './limits';
import { JUST_REMOVED_MS } from './timing';

/** What this process knows of what sends to one URL. */
export class SubscriptionState {
	private static readonly all = new LruMap<SubscriptionState>(MAX_TRIGGERS);

	static to(url: string): SubscriptionState {
		const existing = SubscriptionState.all.get(url);
		if (existing !== undefined) return existing;
		const created = new SubscriptionState();
		SubscriptionState.all.set(url, created);
		return created;
	}

	/** The ID of the only one, unless another process changes that. */
	id: string | undefined;

	/** The one that this process created last: what was asked for, and what the service answered, in one text each. */
	created: { id: string; asked: string; answered: string } | undefined;

	/** When the service certainly had none any more, in milliseconds since 1970. */
	private removedAt: number | undefined;

	know(id: string | undefined): void {
		this.id = id;
		this.removedAt = undefined;
	}

	remove(now: number): void {
		this.id = undefined;
		this.removedAt = now;
	}

	/** Whether the service need not be asked what sends to the URL: events would be lost meanwhile. */
	wasJustRemoved(now: number): boolean {
		return this.removedAt !== undefined && isWithin(JUST_REMOVED_MS, this.removedAt, now);
	}
}
