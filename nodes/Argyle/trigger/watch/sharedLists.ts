import type { ITriggerFunctions } from 'n8n-workflow';

import { isSameUrl, listSubscriptions, type Subscription } from '../../api/subscriptions';
import type { RecordType } from '../../api/recordTypes';
import { type ArgyleClient, connect } from '../../transport/client';
import { isWithin } from '../../utils/clock';
import { Semaphore } from '../../utils/concurrency';
import { LruMap } from '../../utils/lruMap';
import { EventList, recordTypesOf } from '../starts/eventList';
import { BUSY_MS, LOOK, SHARED_READING_MS } from '../state/timing';

/** The lists that the triggers with the same API key and secret share. Each list is read when it is first needed. */
export class SharedLists {
	private subscriptions: Promise<Subscription[]> | undefined;

	private readonly eventLists = new Map<RecordType, EventList>();

	/** Reads the lists. Whoever shares the lists asks this client for Argyle's time, because it has got the answers. */
	readonly client: ArgyleClient;

	constructor(client: ArgyleClient) {
		this.client = client;
	}

	async subscriptionsTo(url: string): Promise<Subscription[]> {
		return (await this.allSubscriptions()).filter((subscription) => isSameUrl(subscription.url, url));
	}

	async subscription(id: string | undefined): Promise<Subscription | undefined> {
		return (await this.allSubscriptions()).find((subscription) => subscription.id === id);
	}

	private async allSubscriptions(): Promise<Subscription[]> {
		this.subscriptions ??= listSubscriptions(this.client);
		return await this.subscriptions;
	}

	of(events: string[]): EventList[] {
		return recordTypesOf(events).map((recordType) => {
			const list = this.eventLists.get(recordType) ?? new EventList(this.client, recordType);
			this.eventLists.set(recordType, list);
			return list;
		});
	}
}

const connecting = new Semaphore(1);

/**
 * Reads the credential of a trigger that looks. Each time, n8n makes a sandbox for the credential's expressions.
 * Hundreds at once would keep n8n's webhooks waiting for seconds.
 */
export const connectToLook = async (context: ITriggerFunctions): Promise<ArgyleClient> =>
	await connecting.runBriefly(BUSY_MS, async () => await connect(context, LOOK));

/** By the digest of the credential. */
const readings = new LruMap<{ lists: SharedLists; since: number }>();

/** Returns lists that were read in the last ten seconds, or new ones. */
export function recentLists(client: ArgyleClient): SharedLists {
	const now = Date.now();
	readings.deleteWhere(({ since }) => !isWithin(SHARED_READING_MS, since, now));
	return readings.getOrAdd(client.credentialDigest, () => ({ lists: new SharedLists(client), since: now })).lists;
}
