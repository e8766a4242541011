import { listSubscriptions, type Subscription } from '../api/subscriptions';
import type { ArgyleClient } from '../transport/client';
import { LruMap } from '../utils/lruMap';
import { FormList } from './forms/formList';

/** The triggers of a process look at about the same time. */
const MAX_AGE_MS = 10_000;

const MAX_ACCOUNTS = 100;

/** What the triggers of one account read once for all of them, each list when it is first needed. */
export class AccountLists {
	private readonly startedAt = Date.now();

	private listing: Promise<Subscription[]> | undefined;

	private formList: FormList | undefined;

	private readonly client: ArgyleClient;

	constructor(client: ArgyleClient) {
		this.client = client;
	}

	isRecent(): boolean {
		const age = Date.now() - this.startedAt;
		return age >= 0 && age < MAX_AGE_MS;
	}

	async subscriptions(): Promise<Subscription[]> {
		this.listing ??= listSubscriptions(this.client);
		return await this.listing;
	}

	forms(): FormList {
		this.formList ??= new FormList(this.client);
		return this.formList;
	}
}

const accounts = new LruMap<AccountLists>(MAX_ACCOUNTS);

export function recentLists(client: ArgyleClient): AccountLists {
	const recent = accounts.get(client.account);
	if (recent?.isRecent() === true) return recent;
	const lists = new AccountLists(client);
	accounts.set(client.account, lists);
	return lists;
}
