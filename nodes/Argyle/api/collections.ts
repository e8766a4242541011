import type { ArgyleClient } from '../transport/client';
import { ArgyleError } from '../transport/errors';
import { isJsonRecord, type JsonRecord } from '../utils/json';
import type { ListRequest } from './pagination';

/** A resource of the API that is only read here. */
export interface Collection {
	/** From the host on, such as `/v2/users`. */
	path: string;
	/** What one of its records is, for messages. */
	noun: string;
}

/** GET /v2/users (Argyle's OpenAPI file); takes the filter `external_id`, an exact match. */
export const USERS: Collection = { path: '/v2/users', noun: 'user' };

/** GET /v2/user-forms (Argyle's OpenAPI file); takes the filters `account` and `user`. */
export const USER_FORMS: Collection = { path: '/v2/user-forms', noun: 'user form' };

/** Takes a collection and filters; gives the list of its records that they leave. */
export function listOf({ path, noun }: Collection, query?: ListRequest['query']): ListRequest {
	return { path, query, subject: `list of ${noun}s` };
}

/** Gives one record of a collection. Throws ArgyleError, with status 404 when there is none of that id. */
export async function getRecord(client: ArgyleClient, { path, noun }: Collection, id: string): Promise<JsonRecord> {
	const record = await client.json({
		method: 'GET',
		path: `${path}/${encodeURIComponent(id)}`,
		subject: `${noun} ${id}`,
	});
	if (isJsonRecord(record)) return record;
	throw new ArgyleError(
		`Argyle sent a ${noun} that can't be read`,
		"It is no record. If this goes on, ask Argyle's support.",
	);
}
