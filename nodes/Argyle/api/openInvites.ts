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

/** The IDs of invites that this process has sent: Argyle may take a while to list them. */
const sent = new LruMap<string>();

const keyOf = (client: ArgyleClient, address: string) => `${client.credentialDigest} ${address}`;

export function rememberInvite(client: ArgyleClient, invite: IDataObject): void {
	for (const address of addressKeys(invite)) sent.set(keyOf(client, address), String(invite.id));
}

/** A status that this node does not know counts as open, so that nobody is written to twice. */
const isOpen = (invite: IDataObject) => invite.status !== 'completed' && !isRevoked(invite);

/** Resolves with the newest open invite to one of the addresses, if there is one. */
export type FindOpenInvite = (addresses: InviteAddresses) => Promise<IDataObject | undefined>;

/** Reads all pages, because Argyle can filter its list neither by address nor by number. */
export async function readOpenInvites(client: ArgyleClient): Promise<FindOpenInvite> {
	const listed = new Set<unknown>();
	const newest = new Map<string, IDataObject>();
	const createdAt = (invite: IDataObject) => Date.parse(String(invite.created_at)) || 0;
	for (const invite of await listRecords(client, listOf(INVITES), Infinity)) {
		listed.add(invite.id);
		if (!isOpen(invite)) continue;
		for (const key of addressKeys(invite)) {
			const other = newest.get(key);
			if (other === undefined || createdAt(invite) > createdAt(other)) newest.set(key, invite);
		}
	}
	return async (addresses) => {
		for (const key of addressKeys(addresses)) {
			const invite = newest.get(key);
			if (invite !== undefined) return invite;
			const id = sent.get(keyOf(client, key));
			if (id === undefined || listed.has(id)) continue;
			const unlisted = await getRecord(client, INVITES, id).catch(undefinedWhenNotFound);
			if (unlisted !== undefined && isOpen(unlisted)) return unlisted;
		}
		return undefined;
	};
}
