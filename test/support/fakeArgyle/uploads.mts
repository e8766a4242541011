import { randomUUID } from 'node:crypto';
import { isJson } from '../json.mts';
import type { ApiRequest } from './request.mts';
import { type ApiResponse, errorResponse, invalidFields } from './response.mts';
import type { StoredRecord } from './types.mts';
import type { WriteApi } from './writes.mts';

const DOCUMENT_TYPES = ['paystubs', 'W-2', '1099', 'proof-of-identity', 'proof-of-address', 'miscellaneous'];

const REQUIRED = ['This field is required.'];

/** What Argyle calls the source of an account that has documents only. */
const SOURCE = 'doc_upload_item';

/** The user's account for documents, made with the first of them. */
function documentsAccount(api: WriteApi, user: string): string {
	const { records } = api;
	const accounts = [...records.of('accounts').values()];
	const existing = accounts.find((account) => account.user === user && account.source === SOURCE);
	if (existing !== undefined) return existing.id;
	const account = randomUUID();
	records.addAccount({ account, user });
	const fields = { source: SOURCE, employers: [], created_at: api.now(), updated_at: api.now() };
	Object.assign(records.of('accounts').get(account) ?? {}, fields);
	if (api.assumed.addedByUpload === 'yes') api.announce('accounts.added', { account, user });
	return account;
}

/** Stores an upload of now. Returns it, and the data of its event. */
function storeUpload(
	api: WriteApi,
	user: string,
	fields: object,
): { record: StoredRecord; data: Record<string, unknown> } {
	const account = documentsAccount(api, user);
	const now = { created_at: api.now(), updated_at: api.now() };
	const [record] = api.records.add('user-uploads', 1, { user, account }, { ...now, ...fields });
	if (record === undefined) throw new Error('the fake Argyle stored no upload');
	return { record, data: { account, user, user_upload: record.id } };
}

export function handleUpload(api: WriteApi, { body, isForm, hasLength }: ApiRequest): ApiResponse {
	if (!isForm) return errorResponse(415, 'Unsupported media type in request.');
	if (!hasLength) return errorResponse(411, 'Length Required.');
	const { user, document_type: type, upload } = isJson(body) ? body : {};
	const errors: Record<string, string[]> = {};
	if (typeof user !== 'string') errors.user = REQUIRED;
	else if (!api.users.has(user)) errors.user = ['User not found.'];
	if (type === undefined) errors.document_type = REQUIRED;
	else if (!DOCUMENT_TYPES.includes(String(type))) errors.document_type = [`"${String(type)}" is not a valid choice.`];
	if (!isJson(upload)) errors.upload = REQUIRED;
	if (Object.keys(errors).length > 0 || !isJson(upload)) return invalidFields(errors);
	if (Number(upload.size) > api.maxUploadBytes) return errorResponse(413, 'The file is too large.');
	const { record, data } = storeUpload(api, String(user), { document_type: type, file_name: upload.name });
	if (api.assumed.eventOfUpload === 'yes') api.announce('user_uploads.added', data);
	return { status: api.createdStatus, body: record };
}
