import { isWithin } from '../../utils/clock';
import { LruMap } from '../../utils/lruMap';
import { JUST_REMOVED_MS } from './timing';

/** The request and Argyle's answer, each as one text. */
interface Created {
	id: string;
	asked: string;
	answered: string;
}

/** What this process knows of the subscription that sends to one URL. */
export class SubscriptionState {
	private static readonly all = new LruMap<SubscriptionState>();

	static to(url: string): SubscriptionState {
		return SubscriptionState.all.getOrAdd(url, () => new SubscriptionState());
	}

	private known: string | undefined;

	private lastCreated: Created | undefined;

	/** The last time when Argyle certainly had no subscription to the URL, in milliseconds since 1970. */
	private removedAt: number | undefined;

	/** The ID of the only subscription to the URL, as far as this process knows. */
	get id(): string | undefined {
		return this.known;
	}

	/** The subscription that this process created last. */
	get created(): Created | undefined {
		return this.lastCreated;
	}

	create(created: Created): void {
		this.lastCreated = created;
	}

	know(id: string | undefined): void {
		this.known = id;
		this.removedAt = undefined;
	}

	remove(now: number): void {
		this.known = undefined;
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
