import { isWithin } from '../../utils/clock';
import { LruMap } from '../../utils/lruMap';
import { JUST_REMOVED_MS } from './timing';

/** More URLs than n8n can have triggers. */
const MAX_URLS = 10_000;

/** What this process knows of the subscription to a URL. */
interface SubscriptionMemory {
	/** The ID of the only one, unless another process changes that. */
	id?: string;
	/** When the service certainly had none any more, in milliseconds since 1970. */
	removedAt?: number;
}

const subscriptions = new LruMap<SubscriptionMemory>(MAX_URLS);

export function rememberSubscription(url: string, id: string | undefined): void {
	subscriptions.set(url, { id });
}

export function rememberRemoval(url: string, now: number): void {
	subscriptions.set(url, { removedAt: now });
}

export function rememberedSubscription(url: string): string | undefined {
	return subscriptions.get(url)?.id;
}

/** Whether the service need not be asked what sends to the URL: events would be lost meanwhile. */
export function wasJustRemoved(url: string, now: number): boolean {
	const removedAt = subscriptions.get(url)?.removedAt;
	return removedAt !== undefined && isWithin(JUST_REMOVED_MS, removedAt, now);
}
