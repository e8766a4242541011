import type { IDataObject } from 'n8n-workflow';

import type { ArgyleClient } from '../transport/client';
import { ArgyleError, undefinedWhenNotFound } from '../transport/errors';
import { shortened } from '../utils/coerce';
import { LruMap } from '../utils/lruMap';
import { listRecords } from './pagination';
import { getRecord, listOf, USERS } from './records';

/** How many users a message names at most. */
const MAX_NAMED = 10;

/** The IDs of users whom this process has created: Argyle may take a while to list them. */
const created = new LruMap<string>();

const keyOf = (client: ArgyleClient, externalId: string) => `${client.credentialDigest} ${externalId}`;

export function rememberUser(client: ArgyleClient, externalId: string, id: string): void {
	created.set(keyOf(client, externalId), id);
}

/** All users with exactly this External ID: Argyle lets several users have the same one. */
export async function usersByExternalId(client: ArgyleClient, externalId: string): Promise<IDataObject[]> {
	const accepts = (user: IDataObject) => String(user.external_id) === externalId;
	const list = { ...listOf(USERS), query: { external_id: externalId }, accepts };
	const users = await listRecords(client, list, Infinity);
	const known = created.get(keyOf(client, externalId));
	if (known === undefined || users.some(({ id }) => id === known)) return users;
	const user = await getRecord(client, USERS, known).catch(undefinedWhenNotFound);
	return user !== undefined && accepts(user) ? [...users, user] : users;
}

export function severalUsers(externalId: string, users: IDataObject[]): ArgyleError {
	const more = users.length > MAX_NAMED ? ` and ${users.length - MAX_NAMED} more` : '';
	const named = users.slice(0, MAX_NAMED).map(({ id }) => String(id));
	return new ArgyleError(
		`${users.length} users have the External ID ${shortened(externalId)}`,
		`They are ${named.join(', ')}${more}. Choose the right one By ID, or give the others another External ID with User: Update.`,
	);
}

/**
 * Returns the ID of the only user with this External ID. If nobody has it, returns the ID from `former`. Throws
 * ArgyleError when there is neither, or more than one.
 */
export async function userIdByExternalId(
	client: ArgyleClient,
	externalId: string,
	former: () => Promise<string | undefined> = async () => undefined,
): Promise<string> {
	const users = await usersByExternalId(client, externalId);
	if (users.length > 1) throw severalUsers(externalId, users);
	const [user] = users;
	const id = user === undefined ? await former() : String(user.id);
	if (id !== undefined) return id;
	throw new ArgyleError(
		`Argyle has no user with the External ID ${shortened(externalId)}`,
		'Check the spelling, capitals too. User: Create or Update makes a user with it. Nothing was changed at Argyle.',
	);
}
