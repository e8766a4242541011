import type { IDataObject } from 'n8n-workflow';

import type { ArgyleClient } from '../transport/client';
import { ArgyleError } from '../transport/errors';
import { isDataObject } from '../utils/json';
import { isUuid } from '../utils/ids';
import { getRecord, listOf, USERS } from './records';
import { fetchPage, MAX_PAGE_SIZE } from './pagination';
import { type AttemptOf, writeOnce } from './writeOnce';

/** What must not be repeated in an error, though the service's answer may quote it, in its own spelling, too. */
function secretsIn({ ssn }: IDataObject): string[] {
	if (typeof ssn !== 'string') return [];
	const digits = ssn.replace(/\D/g, '');
	return [ssn, digits, digits.replace(/^(\d{3})(\d{2})(\d{4})$/, '$1-$2-$3')];
}

const unreadable = () =>
	new ArgyleError("Argyle sent a user that can't be read", "It is no record. If this goes on, ask Argyle's support.");

/**
 * POST /v2/users (Argyle's OpenAPI file 1.0.111; recorded traffic). It answers with the ID and a token alone, so the
 * record is asked for then. A user who is there, but whose record can't be read, comes as `id` with the reason in
 * `recordError`: an error would make people create them again.
 */
export async function createUser(client: ArgyleClient, attemptOf: AttemptOf, body: IDataObject): Promise<IDataObject> {
	const { external_id: externalId } = body;
	const { id } = await writeOnce(client, attemptOf, {
		request: {
			method: 'POST',
			path: USERS.path,
			body,
			subject: 'user',
			secrets: secretsIn(body),
			unclear: { what: 'the user was created', check: 'User: Get Many' },
		},
		// Without an ID of the customer's own, users can't be told apart.
		findCreated: async (isSince) => {
			if (externalId === undefined) return [];
			const query = { external_id: externalId, limit: MAX_PAGE_SIZE };
			const { records } = await fetchPage(client, listOf(USERS), query);
			return records.filter((record) => isSince(record.created_at));
		},
	});
	if (!isUuid(id)) throw unreadable();
	return await getRecord(client, USERS, id).catch((error: unknown) => {
		if (error instanceof ArgyleError) return { id, recordError: error.fullMessage };
		throw error;
	});
}

/** PATCH /v2/users/{id}: sending the same values twice does no more than once. */
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
	throw unreadable();
}
