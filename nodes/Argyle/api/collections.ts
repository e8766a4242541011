import type { IDataObject } from 'n8n-workflow';

import type { ArgyleClient } from '../transport/client';
import { ArgyleError } from '../transport/errors';
import { isDataObject } from '../utils/json';
import type { ListRequest } from './pagination';

/** A resource of the API that is only read here. */
export interface Collection {
	/** From the host on, such as `/v2/users`. */
	path: string;
	/** One of its records, for messages. */
	noun: string;
}

/** GET /v2/users (Argyle's OpenAPI file); takes the filter `external_id`, an exact match. */
export const USERS: Collection = { path: '/v2/users', noun: 'user' };

/** GET /v2/user-forms (Argyle's OpenAPI file); takes the filters `account` and `user`. */
export const USER_FORMS: Collection = { path: '/v2/user-forms', noun: 'user form' };

/** GET /v2/accounts (Argyle's OpenAPI file); a record names its `user`. */
export const ACCOUNTS: Collection = { path: '/v2/accounts', noun: 'account' };

export function listOf({ path, noun }: Collection, query?: IDataObject): ListRequest {
	return { path, query, subject: `list of ${noun}s` };
}

/** Throws ArgyleError, with status 404 when there is no record with this id. */
export async function getRecord(client: ArgyleClient, { path, noun }: Collection, id: string): Promise<IDataObject> {
	const record = await client.json({
		method: 'GET',
		path: `${path}/${encodeURIComponent(id)}`,
		subject: `${noun} ${id}`,
	});
	if (isDataObject(record)) return record;
	throw new ArgyleError(
		`Argyle sent a ${noun} that can't be read`,
		"It is no record. If this goes on, ask Argyle's support.",
	);
}
