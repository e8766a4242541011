import { randomUUID } from 'node:crypto';
import { isJson, type Json } from '../json.mts';
import { eraseAccount } from './accountWrites.mts';
import type { Assumed } from './assumed.mts';
import { keptId } from './externalId.mts';
import { userToken } from './invites.mts';
import type { ApiRequest } from './request.mts';
import { type ApiResponse, errorResponse, invalidFields, methodNotAllowed, notFound } from './response.mts';
import type { StoredRecord } from './types.mts';
import type { WriteApi } from './writes.mts';

const FIELDS = [
	'external_metadata',
	'external_id',
	'first_name',
	'last_name',
	'email',
	'phone_number',
	'ssn',
	'address',
	'birth_date',
];

/** The first two are Argyle's own words; the others are assumed. */
function errorsIn(body: Json): Record<string, string[]> {
	const errors: Record<string, string[]> = {};
	const { email, phone_number: phone, external_id: externalId, birth_date: birth } = body;
	if (typeof email === 'string' && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email))
		errors.email = ['Enter a valid email address.'];
	if (typeof phone === 'string' && !/^\+?[\d-]{10,15}$/.test(phone))
		errors.phone_number = ['Enter a valid phone number.'];
	if (String(externalId ?? '').length > 100)
		errors.external_id = ['Ensure this field has no more than 100 characters.'];
	if (birth !== undefined && !(isJson(birth) && Number.isInteger(birth.year))) errors.birth_date = ['Invalid date.'];
	return errors;
}

function accepted(body: Json, assumed: Assumed): Json {
	const fields = Object.fromEntries(Object.entries(body).filter(([field]) => FIELDS.includes(field)));
	return 'external_id' in fields ? { ...fields, external_id: keptId(fields.external_id, assumed) } : fields;
}

function merged(old: unknown, added: unknown, isDeep: boolean): unknown {
	if (!isJson(old) || !isJson(added)) return added;
	const inner = Object.entries(added).map(([key, value]) => [key, isDeep ? merged(old[key], value, true) : value]);
	return { ...old, ...Object.fromEntries(inner) };
}

function create(api: WriteApi, body: Json): ApiResponse {
	const id = randomUUID();
	const empty = Object.fromEntries(FIELDS.map((field) => [field, null]));
	const lists = { items_connected: [], employers_connected: [] };
	api.users.set(id, {
		id,
		created_at: api.now(),
		...lists,
		...empty,
		external_metadata: {},
		...accepted(body, api.assumed),
	});
	return { status: api.createdStatus, body: { user_token: userToken(), id } };
}

function update(user: StoredRecord, body: Json, assumed: Assumed): ApiResponse {
	const { external_metadata: metadata, ...fields } = accepted(body, assumed);
	Object.assign(user, fields);
	if (metadata !== undefined)
		user.external_metadata = merged(user.external_metadata, metadata, assumed.metadataMerge === 'deep');
	return { status: 200, body: user };
}

function erase(api: WriteApi, { id }: StoredRecord): ApiResponse {
	const accounts = [...api.records.of('accounts').values()].filter(({ user }) => user === id);
	for (const account of accounts) eraseAccount(api, account);
	for (const name of ['reports', 'verifications'] as const) {
		const store = api.records.of(name);
		for (const record of [...store.values()]) if (record.user === id) store.delete(record.id);
	}
	api.users.delete(id);
	return { status: 204 };
}

export function handleUserWrite(api: WriteApi, { method, body }: ApiRequest, id: string | undefined): ApiResponse {
	const user = id === undefined ? undefined : api.users.get(id);
	if (id !== undefined && user === undefined) {
		return method === 'DELETE' && api.assumed.deletedTwice === '204' && api.erased.has(id)
			? { status: 204 }
			: notFound();
	}
	if (user !== undefined && method === 'DELETE') {
		api.erased.add(user.id);
		return erase(api, user);
	}
	if (method !== (user === undefined ? 'POST' : 'PATCH')) return methodNotAllowed(method);
	if (body !== undefined && !isJson(body)) return errorResponse(400, 'JSON parse error.');
	const errors = errorsIn(body ?? {});
	if (Object.keys(errors).length > 0) return invalidFields(errors);
	return user === undefined ? create(api, body ?? {}) : update(user, body ?? {}, api.assumed);
}
