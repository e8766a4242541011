import type { ITriggerFunctions } from 'n8n-workflow';

import { listSubscriptions, normalUrl, type Subscription } from '../../api/subscriptions';
import type { RecordType } from '../../api/recordTypes';
import { type ArgyleClient, connect } from '../../transport/client';
import { clock, isWithin } from '../../utils/clock';
import { Semaphore } from '../../utils/concurrency';
import { LruMap } from '../../utils/lruMap';
import { EventList, recordTypesOf } from '../starts/eventList';
import { ACCOUNT_INTERVAL_MS, BUSY_MS, LOOK, SHARED_READING_MS } from '../state/timing';

/** The lists that the triggers with the same API key and secret share. Each list is read when it is first needed. */
class SharedLists {
	private subscriptions: Promise<Map<string, Subscription[]>> | undefined;

	private readonly eventLists = new Map<RecordType, EventList>();

	/** Reads the lists. Whoever shares the lists asks this client for Argyle's time, because it has got the answers. */
	readonly client: ArgyleClient;

	constructor(client: ArgyleClient) {
		this.client = client;
	}

	async subscriptionsTo(url: string): Promise<Subscription[]> {
		this.subscriptions ??= listSubscriptions(this.client).then(byUrl);
		return (await this.subscriptions).get(normalUrl(url)) ?? [];
	}

	of(events: string[]): EventList[] {
		return recordTypesOf(events).map((recordType) => {
			const list = this.eventLists.get(recordType) ?? new EventList(this.client, recordType);
			this.eventLists.set(recordType, list);
			return list;
		});
	}
}

function byUrl(subscriptions: Subscription[]): Map<string, Subscription[]> {
	const groups = new Map<string, Subscription[]>();
	for (const subscription of subscriptions) {
		const url = normalUrl(subscription.url);
		groups.set(url, [...(groups.get(url) ?? []), subscription]);
	}
	return groups;
}

const connecting = new Semaphore(1);

/**
 * Reads the credential of a trigger that looks. Each time, n8n makes a sandbox for the credential's expressions.
 * Hundreds at once would keep n8n's webhooks waiting for seconds.
 */
export const connectToLook = async (context: ITriggerFunctions): Promise<ArgyleClient> =>
	await connecting.runBriefly(BUSY_MS, async () => await connect(context, LOOK));

interface Reading {
	/** Whether the account still waits for its turn. */
	isWaiting: boolean;
	/** When the turn began, in milliseconds since 1970. */
	since: number;
	lists: Promise<SharedLists>;
}

const readings = new LruMap<Reading>();

/** How many accounts wait for their turn, and when the next one has it, in milliseconds since 1970. */
let waitingCount = 0;
let nextTurn = 0;

/**
 * Resolves after the turns of all accounts that wait already. It never pauses for longer than these turns take, because
 * `nextTurn` is too far ahead if the clock was set back.
 */
async function accountTurn(now: number): Promise<void> {
	const delay = Math.min(Math.max(0, nextTurn - now), ACCOUNT_INTERVAL_MS * (waitingCount + 1));
	nextTurn = now + delay + ACCOUNT_INTERVAL_MS;
	waitingCount++;
	await clock.pause(delay);
	waitingCount--;
}

const isRecent = ({ isWaiting, since }: Reading, now: number) => isWaiting || isWithin(SHARED_READING_MS, since, now);

/**
 * Returns lists that were read in the last ten seconds, or new ones. New ones wait for the account's turn, so that n8n
 * doesn't ask for many accounts at once when it starts.
 */
export async function recentLists(client: ArgyleClient): Promise<SharedLists> {
	const now = Date.now();
	readings.deleteOldestWhile((reading) => !isRecent(reading, now));
	const recent = readings.get(client.credentialDigest);
	if (recent !== undefined && isRecent(recent, now)) return await recent.lists;
	const lists = accountTurn(now).then(() => {
		Object.assign(reading, { isWaiting: false, since: Date.now() });
		return new SharedLists(client);
	});
	const reading = { isWaiting: true, since: now, lists };
	readings.set(client.credentialDigest, reading);
	return await lists;
}
