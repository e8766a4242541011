import { isWithin } from '../../utils/clock';
import { LruMap } from '../../utils/lruMap';
import { JUST_REMOVED_MS } from './timing';

/** What this process knows of the subscription that sends to one URL. */
export class SubscriptionState {
	private static readonly all = new LruMap<SubscriptionState>();

	static to(url: string): SubscriptionState {
		return SubscriptionState.all.getOrAdd(url, () => new SubscriptionState());
	}

	/** The ID of the only subscription to the URL, as far as this process knows. */
	id: string | undefined;

	/** The subscription that this process created last: the request and Argyle's answer, each as one text. */
	created: { id: string; asked: string; answered: string } | undefined;

	/** The last time when Argyle certainly had no subscription to the URL, in milliseconds since 1970. */
	private removedAt: number | undefined;

	know(id: string | undefined): void {
		this.id = id;
		this.removedAt = undefined;
	}

	remove(now: number): void {
		this.id = undefined;
		this.removedAt = now;
	}

	/**
	 * Whether the subscription was removed just now. Then no time is spent on asking Argyle what is there, because events
	 * are lost until the next subscription exists.
	 */
	wasJustRemoved(now: number): boolean {
		return this.removedAt !== undefined && isWithin(JUST_REMOVED_MS, this.removedAt, now);
	}
}
