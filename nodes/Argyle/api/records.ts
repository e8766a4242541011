import type { IDataObject } from 'n8n-workflow';

import type { ArgyleClient } from '../transport/client';
import { ArgyleError } from '../transport/errors';
import { isUuid } from '../utils/ids';
import { isDataObject } from '../utils/json';
import { RECORD_TYPES, type RecordType, withArticle } from './recordTypes';
import type { ListRequest } from './pagination';

export const { user: USERS, userForm: USER_FORMS, account: ACCOUNTS, verification: VERIFICATIONS } = RECORD_TYPES;

export type StoredRecord = IDataObject & { id: string };

export const isRecord = (value: unknown): value is StoredRecord =>
	isDataObject(value) && typeof value.id === 'string' && value.id !== '';

export function listOf({ path, many }: RecordType): ListRequest {
	return { path, subject: `list of ${many}` };
}

/** Fails with status 404 when there is no record with this ID. */
export async function getRecord(client: ArgyleClient, { path, one }: RecordType, id: string): Promise<IDataObject> {
	const record = await client.json({
		method: 'GET',
		path: `${path}/${encodeURIComponent(id)}`,
		subject: `${one} ${id}`,
	});
	if (isDataObject(record)) return record;
	throw unreadable(one);
}

export const unreadable = (one: string) =>
	new ArgyleError(
		`Argyle sent ${withArticle(one)} that can't be read`,
		"It is no record. If this goes on, ask Argyle's support.",
	);

/** The ID of the user to whom the account belongs. Throws ArgyleError when the record does not say so. */
export function ownerOf({ id, user }: IDataObject): string {
	if (isUuid(user)) return user;
	throw new ArgyleError(
		`Argyle does not say which user the account ${String(id)} belongs to`,
		"If this goes on, ask Argyle's support.",
	);
}

/** The fields by which people know a user. None of them could hurt the person in the wrong hands. */
const PERSON_FIELDS = ['id', 'external_id', 'first_name', 'last_name', 'email', 'phone_number'];

/** What the user's record says of the person; null where it says nothing. */
export async function getPerson(client: ArgyleClient, user: string): Promise<IDataObject> {
	const record = await getRecord(client, USERS, user);
	return Object.fromEntries(PERSON_FIELDS.map((field) => [field, record[field] ?? null]));
}
