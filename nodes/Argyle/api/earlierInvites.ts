import type { IDataObject } from 'n8n-workflow';

import type { ArgyleClient } from '../transport/client';
import { undefinedWhenNotFound } from '../transport/errors';
import { LruMap } from '../utils/lruMap';
import { internationalNumber } from '../utils/phoneNumber';
import { type InviteAddresses, INVITES, isRevoked } from './invites';
import { listRecords } from './pagination';
import { getRecord, listOf } from './records';

/** Returns keys of the address and the number. Each key is the same however people write it. */
export function addressKeys({ email, phone_number: phone }: InviteAddresses | IDataObject): string[] {
	const keys: string[] = [];
	if (typeof email === 'string' && email !== '') keys.push(email.toLowerCase());
	if (typeof phone === 'string' && phone !== '') keys.push(internationalNumber(phone) ?? phone);
	return keys;
}

/** By whom an invite is found: its addresses, and its user. */
const keysOf = (invite: IDataObject) => [...addressKeys(invite), String(invite.user)];

/** Three keys for each of 10,000 invites. */
const MAX_KEYS = 30_000;

/** The IDs of invites that this process has sent: Argyle may take a while to list them. */
const sent = new LruMap<string>(MAX_KEYS);

const keyIn = (client: ArgyleClient, key: string) => `${client.credentialDigest} ${key}`;

export function rememberInvite(client: ArgyleClient, invite: IDataObject): void {
	for (const key of keysOf(invite)) sent.set(keyIn(client, key), String(invite.id));
}

/** The statuses of invites that are neither completed nor revoked. */
export const OPEN_STATUSES = ['sent', 'initiated', 'attempted'];

/** Resolves with the newest of the invites that have one of the keys, if there is one. */
export type FindInvite = (keys: string[]) => Promise<IDataObject | undefined>;

/**
 * Reads all pages of the invites with these statuses, because Argyle can filter its list by nothing else. An invite
 * whose status Argyle's documentation does not name is not found.
 */
export async function readInvites(client: ArgyleClient, statuses: string[]): Promise<FindInvite> {
	const isWanted = (invite: IDataObject) => statuses.includes(String(invite.status)) && !isRevoked(invite);
	const newest = new Map<string, IDataObject>();
	const createdAt = (invite: IDataObject) => Date.parse(String(invite.created_at)) || 0;
	const list = { ...listOf(INVITES), query: { status: statuses.join(',') } };
	for (const invite of await listRecords(client, list, Infinity)) {
		if (!isWanted(invite)) continue;
		for (const key of keysOf(invite)) {
			const other = newest.get(key);
			if (other === undefined || createdAt(invite) > createdAt(other)) newest.set(key, invite);
		}
	}
	return async (keys) => {
		for (const key of keys) {
			const invite = newest.get(key);
			if (invite !== undefined) return invite;
			const id = sent.get(keyIn(client, key));
			if (id === undefined) continue;
			const unlisted = await getRecord(client, INVITES, id).catch(undefinedWhenNotFound);
			if (unlisted !== undefined && isWanted(unlisted)) return unlisted;
		}
		return undefined;
	};
}
