import type { IDataObject } from 'n8n-workflow';

import type { ArgyleClient } from '../transport/client';
import { ArgyleError } from '../transport/errors';
import { KeyedMutex } from '../utils/concurrency';
import { isDataObject } from '../utils/json';
import { isUuid } from '../utils/ids';
import { getRecord, unreadable, USERS } from './records';
import { deleteRecord } from './deletion';
import { rememberUser, severalUsers, usersByExternalId } from './usersByExternalId';
import { type AttemptOf, type Write, WriteAttempt, writeOnce } from './writeOnce';

/**
 * The social security number, in all spellings in which Argyle's answer may quote it. None of them may appear in an
 * error.
 */
function secretsIn({ ssn }: IDataObject): string[] {
	if (typeof ssn !== 'string') return [];
	const digits = ssn.replace(/\D/g, '');
	const separated = ['-', ' ', '.'].map((sign) => digits.replace(/^(\d{3})(\d{2})(\d{4})$/, `$1${sign}$2${sign}$3`));
	return [ssn, digits, ...separated];
}

/** Resolves with an ID and a token, which is all that Argyle answers, or with the user's record if that was found. */
async function postUser(
	client: ArgyleClient,
	attemptOf: AttemptOf,
	body: IDataObject,
	findExisting?: Write['findExisting'],
): Promise<IDataObject & { id: string }> {
	const { external_id: externalId } = body;
	const answer = await writeOnce(client, attemptOf, {
		request: {
			method: 'POST',
			path: USERS.path,
			body,
			subject: 'address /v2/users',
			secrets: secretsIn(body),
			unclear: { what: 'the user was created', check: 'User: Get Many' },
		},
		findExisting,
		// Without an External ID, nobody can tell the new user from others.
		findCreated: async (isSince) => {
			if (externalId === undefined) return [];
			const users = await usersByExternalId(client, String(externalId));
			return users.filter((user) => isSince(user.created_at));
		},
	});
	const { id } = answer;
	if (!isUuid(id)) throw unreadable(USERS.one);
	if (externalId !== undefined) rememberUser(client, String(externalId), id);
	return { ...answer, id };
}

/**
 * POST /v2/users (Argyle's OpenAPI file 1.0.111; recorded traffic). Argyle answers with the ID and a token alone, so
 * this asks for the record, too. If that fails, this resolves with `id`, and the reason in `recordError`. An error
 * would make people create the user again.
 */
export async function createUser(client: ArgyleClient, attemptOf: AttemptOf, body: IDataObject): Promise<IDataObject> {
	const { id } = await postUser(client, attemptOf, body);
	return await recordOf(client, id);
}

async function recordOf(client: ArgyleClient, id: string): Promise<IDataObject> {
	return await getRecord(client, USERS, id).catch((error: unknown) => {
		if (error instanceof ArgyleError) return { id, recordError: error.fullMessage };
		throw error;
	});
}

/** PATCH /v2/users/{id}: sending the same values again has no further effect. */
export async function updateUser(client: ArgyleClient, id: string, body: IDataObject): Promise<IDataObject> {
	const record = await client.json({
		method: 'PATCH',
		path: `${USERS.path}/${id}`,
		body,
		isIdempotent: true,
		subject: `user ${id}`,
		secrets: secretsIn(body),
	});
	if (isDataObject(record)) return record;
	throw unreadable(USERS.one);
}

export interface Upserted {
	result: 'created' | 'updated';
	user: IDataObject;
}

/** Lets upserts of one External ID run one after the other in this process. */
const upserts = new KeyedMutex();

const age = ({ created_at: createdAt, id }: IDataObject) => `${String(createdAt)} ${String(id)}`;

/**
 * Updates the one user with this External ID, or creates them. Argyle lets several users have the same one, so another
 * process may create a user in the same moment. Then the oldest user stays, because every process can tell which one
 * that is, and this call deletes the user that it has created. Throws ArgyleError when it is not clear who is meant.
 */
export async function upsertUser(
	client: ArgyleClient,
	attemptOf: AttemptOf,
	externalId: string,
	fields: IDataObject,
): Promise<Upserted> {
	const update = async (user: IDataObject): Promise<Upserted> => {
		const isAsItShouldBe = Object.keys(fields).length === 0;
		return { result: 'updated', user: isAsItShouldBe ? user : await updateUser(client, String(user.id), fields) };
	};
	return await upserts.run(`${client.credentialDigest} ${externalId}`, async () => {
		let existing: IDataObject | undefined;
		let isSentNow = false;
		const body = { ...fields, external_id: externalId };
		const created = await postUser(client, attemptOf, body, async () => {
			const users = await usersByExternalId(client, externalId);
			if (users.length > 1) throw severalUsers(externalId, users);
			[existing] = users;
			isSentNow = existing === undefined;
			return existing;
		});
		if (existing !== undefined) return await update(existing);
		const isCreated = ({ id }: IDataObject) => id === created.id;
		const users = await usersByExternalId(client, externalId).catch(() => []);
		const [oldest] = users.sort((one, other) => age(one).localeCompare(age(other)));
		if (oldest === undefined) return { result: 'created', user: await recordOf(client, created.id) };
		// A user that was found after an unclear answer may be that of another process, with other fields.
		const isCertain = !('created_at' in created);
		if (isCreated(oldest)) {
			// If a language model repeats the call, it may have changed the user since the first one.
			const hasFields = isCertain && isSentNow;
			return { result: 'created', user: hasFields ? oldest : await updateUser(client, created.id, body) };
		}
		if (users.some(isCreated)) {
			const refuse = async () => await Promise.reject(severalUsers(externalId, users));
			// What an earlier call of a tool has created may be in use by now.
			if (!isCertain || !isSentNow) await refuse();
			// The deletion needs an attempt of its own, because the item's attempt is that of the creation.
			const attempt = (content: string) => new WriteAttempt(content);
			await deleteRecord(client, attempt, USERS, created.id).catch(refuse);
		}
		return await update(oldest);
	});
}
