import type { IDataObject } from 'n8n-workflow';

import type { ArgyleClient } from '../transport/client';
import { ArgyleError } from '../transport/errors';
import { KeyedMutex } from '../utils/concurrency';
import { isDataObject } from '../utils/json';
import { isUuid } from '../utils/ids';
import { getRecord, unreadable, USERS } from './records';
import {
	assertKept,
	othersByExternalId,
	rememberUser,
	severalUsers,
	taken,
	usersByExternalId,
} from './usersByExternalId';
import { type AttemptOf, type Write, writeOnce } from './writeOnce';

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

const INSTEAD_OF_CREATION =
	'Use User: Update to change this user, or User: Create or Update, which does so by itself. Or enter another External ID. Nothing was changed at Argyle.';

/** Resolves with an ID and a token, which is all that Argyle answers, or with the user's record if that was found. */
async function postUser(
	client: ArgyleClient,
	attemptOf: AttemptOf,
	body: IDataObject,
	more: Pick<Write, 'findExisting' | 'addsUp'> = {},
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
		...more,
		// Without an External ID, nobody can tell the new user from others.
		findCreated: async (isSince) => {
			if (externalId === undefined) return [];
			const users = await usersByExternalId(client, String(externalId));
			return users.filter((user) => isSince(user.created_at));
		},
	});
	const { id } = answer;
	if (!isUuid(id)) throw unreadable(USERS.one);
	if (externalId !== undefined) rememberUser(client, String(externalId), { id });
	return { ...answer, id };
}

/** Lets creations of one External ID run one after the other in this process. */
const creations = new KeyedMutex();

const keyOf = (client: ArgyleClient, externalId: string) => `${client.credentialDigest} ${externalId}`;

/**
 * POST /v2/users (Argyle's OpenAPI file 1.0.111; recorded traffic). Argyle answers with the ID and a token alone, so
 * this asks for the record, too. Throws ArgyleError when somebody has the External ID: nobody would find either of two
 * users by it.
 */
export async function createUser(client: ArgyleClient, attemptOf: AttemptOf, body: IDataObject): Promise<IDataObject> {
	if (body.external_id === undefined) return await recordOf(client, (await postUser(client, attemptOf, body)).id);
	const externalId = String(body.external_id);
	return await creations.run(keyOf(client, externalId), async () => {
		const findExisting = async () => {
			const users = await usersByExternalId(client, externalId);
			if (users.length > 0) throw taken(externalId, users, INSTEAD_OF_CREATION);
			return undefined;
		};
		const { id } = await postUser(client, attemptOf, body, { findExisting });
		return await recordOf(client, id, externalId);
	});
}

/**
 * Resolves with the record of a new user. If Argyle does not show it, this resolves with `id`, and the reason in
 * `recordError`. An error would make people create the user again.
 */
async function recordOf(client: ArgyleClient, id: string, externalId?: string): Promise<IDataObject> {
	const record = await getRecord(client, USERS, id).catch((error: unknown) => {
		if (error instanceof ArgyleError) return { id, recordError: error.fullMessage };
		throw error;
	});
	if (externalId !== undefined && !('recordError' in record)) assertKept(client, externalId, id, record);
	return record;
}

/** PATCH /v2/users/{id}: sending the same values again has no further effect. */
async function patchUser(client: ArgyleClient, id: string, body: IDataObject): Promise<IDataObject> {
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

const INSTEAD_OF_UPDATE =
	'No step would find either of two users with one External ID. Enter another one, or give the other user another one first. Nothing was changed at Argyle.';

/** Throws ArgyleError when the user would get an External ID that another user has. */
export async function updateUser(client: ArgyleClient, id: string, body: IDataObject): Promise<IDataObject> {
	if (body.external_id !== undefined) {
		const externalId = String(body.external_id);
		const others = await othersByExternalId(client, externalId, id);
		if (others.length > 0) throw taken(externalId, others, INSTEAD_OF_UPDATE);
	}
	return await patchUser(client, id, body);
}

export interface Upserted {
	result: 'created' | 'updated';
	user: IDataObject;
}

/**
 * Updates the one user with this External ID, or creates them. Argyle lets several users have the same one, so another
 * process may create a user in the same moment. Throws ArgyleError when it is not clear who is meant.
 */
export async function upsertUser(
	client: ArgyleClient,
	attemptOf: AttemptOf,
	externalId: string,
	fields: IDataObject,
): Promise<Upserted> {
	const onlyOneOf = (users: IDataObject[]): IDataObject | undefined => {
		if (users.length > 1) throw severalUsers(externalId, users);
		return users[0];
	};
	return await creations.run(keyOf(client, externalId), async () => {
		let existing: IDataObject | undefined;
		let isSentNow = false;
		const body = { ...fields, external_id: externalId };
		const findExisting = async () => {
			existing = onlyOneOf(await usersByExternalId(client, externalId));
			isSentNow = existing === undefined;
			return existing;
		};
		// A second call finds the user, and updates them.
		const created = await postUser(client, attemptOf, body, { findExisting, addsUp: false });
		if (existing !== undefined) {
			const isAsItShouldBe = Object.keys(fields).length === 0;
			return { result: 'updated', user: isAsItShouldBe ? existing : await patchUser(client, created.id, fields) };
		}
		const user =
			onlyOneOf(await usersByExternalId(client, externalId).catch(() => [])) ??
			(await recordOf(client, created.id, externalId));
		// A user that was found after an unclear answer may be that of another process, with other fields. And if a
		// language model repeats the call, it may have changed the user since the first one.
		const hasFields = isSentNow && !('created_at' in created);
		return { result: 'created', user: hasFields ? user : await patchUser(client, created.id, body) };
	});
}
