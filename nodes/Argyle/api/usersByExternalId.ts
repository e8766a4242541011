import type { IDataObject } from 'n8n-workflow';

import type { ArgyleClient } from '../transport/client';
import { ArgyleError, undefinedWhenNotFound } from '../transport/errors';
import { shortened } from '../utils/coerce';
import { LruMap } from '../utils/lruMap';
import { listRecords } from './pagination';
import { getRecord, listOf, USERS } from './records';

/** How many users a message names at most. */
const MAX_NAMED = 10;

/** Users whom this process has created: Argyle may take a while to list them. */
interface Created {
	id: string;
	/** The External ID as Argyle keeps it, if that is another one than was sent. */
	keptAs?: string;
}

const created = new LruMap<Created>();

const keyOf = (client: ArgyleClient, externalId: string) => `${client.credentialDigest} ${externalId}`;

export function rememberUser(client: ArgyleClient, externalId: string, user: Created): void {
	created.set(keyOf(client, externalId), user);
}

/** Argyle might take two External IDs for one if they differ in nothing else. */
const simplified = (externalId: string) =>
	externalId
		.normalize('NFKC')
		.replace(/\p{Cf}/gu, '')
		.trim()
		.toLowerCase();

/** `what` says in a sentence who has it. */
const keptOtherwise = (externalId: string, { external_id: kept }: IDataObject, what: string) =>
	new ArgyleError(
		`Argyle has the External ID ${shortened(externalId)} as ${shortened(JSON.stringify(kept ?? null))}`,
		`${what} Write it everywhere as Argyle has it, or choose the user By ID and give them another one with User: Update.`,
	);

/**
 * Throws ArgyleError when Argyle has kept the External ID of a new user in another form than it was sent. By the form
 * that was sent, nobody would find the user again, and each repetition would create another one.
 */
export function assertKept(client: ArgyleClient, externalId: string, id: string, record: IDataObject): void {
	if (String(record.external_id) === externalId) return;
	rememberUser(client, externalId, { id, keptAs: String(record.external_id) });
	throw keptOtherwise(externalId, record, `The user was created as ${id}: don't create them again.`);
}

/** Returns all users who have this External ID, or one that Argyle might take for it. */
async function similarUsers(client: ArgyleClient, externalId: string): Promise<IDataObject[]> {
	const known = created.get(keyOf(client, externalId));
	const isSimilar = (user: IDataObject) =>
		String(user.external_id) === known?.keptAs || simplified(String(user.external_id)) === simplified(externalId);
	const list = { ...listOf(USERS), query: { external_id: externalId }, accepts: isSimilar };
	const users = await listRecords(client, list, Infinity);
	if (known !== undefined && !users.some(({ id }) => id === known.id)) {
		const user = await getRecord(client, USERS, known.id).catch(undefinedWhenNotFound);
		if (user !== undefined && isSimilar(user)) users.push(user);
	}
	return users;
}

/**
 * Returns those of similar users who have exactly this External ID: Argyle lets several users have the same one. Throws
 * ArgyleError when a user has it in another spelling only, because Argyle would change the spelling of a second user's,
 * too.
 */
function exactOf(users: IDataObject[], externalId: string): IDataObject[] {
	const exact = users.filter((user) => String(user.external_id) === externalId);
	if (exact.length > 0 || users.length === 0) return exact;
	throw keptOtherwise(externalId, users[0], `User ${String(users[0].id)} has it.`);
}

export async function usersByExternalId(client: ArgyleClient, externalId: string): Promise<IDataObject[]> {
	return exactOf(await similarUsers(client, externalId), externalId);
}

/** Returns the other users with whom the user `id` would newly share the External ID. */
export async function othersByExternalId(client: ArgyleClient, externalId: string, id: string): Promise<IDataObject[]> {
	const users = await similarUsers(client, externalId);
	if (users.some((user) => user.id === id && String(user.external_id) === externalId)) return [];
	const others = users.filter((user) => user.id !== id);
	return exactOf(others, externalId);
}

/** `advice` says in whole sentences what to do instead. */
export function taken(externalId: string, users: IDataObject[], advice: string): ArgyleError {
	if (users.length > 1) return severalUsers(externalId, users);
	const [{ id, first_name: first, last_name: last }] = users;
	const name = [first, last].filter(Boolean).join(' ');
	const who = name === '' ? `User ${String(id)}` : `${name} (user ${String(id)})`;
	return new ArgyleError(`${who} has the External ID ${shortened(externalId)} already`, advice);
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
