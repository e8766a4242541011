import type { IDataObject } from 'n8n-workflow';
import { createHash } from 'node:crypto';

import { isUuid } from '../utils/ids';
import { isDataObject } from '../utils/json';
import { isMadeByHand } from './accountOrigin';

/**
 * Data that come this soon after the creation of an account are those of its first sync, which takes minutes, seldom
 * hours. Later data come from refreshes, about once a day, and do not tell when the sync ended.
 */
const FIRST_SYNC_MS = 6 * 3_600_000;

/** What users hand in themselves. Argyle's other data sets come from the employer. */
const BY_HAND = ['user_forms', 'user_uploads'];

interface SyncedAccount {
	id: unknown;
	item: unknown;
	employers: unknown;
	/** In milliseconds since 1970. */
	createdAt: number;
	lastDataAt: number;
}

const timeIn = (value: unknown, field: string) => (isDataObject(value) ? Date.parse(String(value[field])) || 0 : 0);

/**
 * Returns a digest of the synced accounts. It tells two events of one user apart (Argyle's page of users.fully_synced).
 */
export function outcomeOfSync({ resource }: IDataObject): string | undefined {
	const ids = isDataObject(resource) ? resource.accounts_connected : undefined;
	if (!Array.isArray(ids) || ids.length === 0 || !ids.every(isUuid)) return undefined;
	return createHash('sha256')
		.update([...ids].sort().join())
		.digest('hex')
		.slice(0, 16);
}

/** The users whose accounts are all synced. Only the whole list of accounts tells which users these are. */
export class SyncedUsers {
	/** By the user's ID, and then by the account's. */
	private readonly synced = new Map<string, Map<unknown, SyncedAccount>>();

	/** Users of whom an account is not synced yet. */
	private readonly syncing = new Set<unknown>();

	add(account: IDataObject): void {
		const { id, user, item, employers, connection } = account;
		const availability = isDataObject(account.availability) ? account.availability : {};
		const dataSets = Object.keys(availability).filter((name) => !BY_HAND.includes(name));
		const states = dataSets.map((name) => availability[name]);
		const status = isDataObject(connection) ? connection.status : undefined;
		const isSettled = (state: unknown) => isDataObject(state) && state.status !== 'in_progress';
		if (states.length > 0 && states.every(isSettled) && status !== 'connecting' && isUuid(user)) {
			const lastDataAt = Math.max(...states.map((state) => timeIn(state, 'updated_at')));
			const accounts = this.synced.get(user) ?? new Map<unknown, SyncedAccount>();
			accounts.set(id, { id, item, employers, createdAt: timeIn(account, 'created_at'), lastDataAt });
			this.synced.set(user, accounts);
			return;
		}
		const willSync = status === 'connected' && !isMadeByHand(account);
		if (willSync || states.some(isDataObject)) this.syncing.add(user);
	}

	/**
	 * Returns for each user the `resource` of the event, when the newest account was made, and when the last data came.
	 */
	records(): IDataObject[] {
		const isSynced = ([user]: [string, unknown]) => !this.syncing.has(user);
		return [...this.synced].filter(isSynced).map(([user, accounts]) => {
			const all = [...accounts.values()];
			const lastDataAt = Math.max(...all.map((account) => account.lastDataAt));
			const newest = Math.max(...all.map(({ createdAt }) => createdAt));
			return {
				id: user,
				resource: {
					id: user,
					accounts_connected: all.map(({ id }) => id),
					items_connected: [...new Set(all.map(({ item }) => item))],
					employers_connected: [...new Set(all.flatMap(({ employers }) => employers))],
				},
				added_at: new Date(newest).toISOString(),
				synced_at: new Date(Math.min(lastDataAt, newest + FIRST_SYNC_MS)).toISOString(),
			};
		});
	}
}
