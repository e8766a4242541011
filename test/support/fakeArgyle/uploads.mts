import { randomUUID } from 'node:crypto';
import { isJson } from '../json.mts';
import type { ApiRequest } from './request.mts';
import { type ApiResponse, errorResponse, invalidFields } from './response.mts';
import type { WriteApi } from './writes.mts';

const DOCUMENT_TYPES = ['paystubs', 'W-2', '1099', 'proof-of-identity', 'proof-of-address', 'miscellaneous'];

const REQUIRED = ['This field is required.'];

/** What Argyle calls the source of an account that has documents only. */
const SOURCE = 'doc_upload_item';

/** The user's account for documents, made with the first of them. */
function documentsAccount({ records }: WriteApi, user: string): string {
	const accounts = [...records.of('accounts').values()];
	const existing = accounts.find((account) => account.user === user && account.source === SOURCE);
	if (existing !== undefined) return existing.id;
	const account = randomUUID();
	records.addAccount({ account, user });
	Object.assign(records.of('accounts').get(account) ?? {}, { source: SOURCE, employers: [] });
	return account;
}

/** Serves `POST /v2/user-uploads`. */
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
	const owner = { user: String(user), account: documentsAccount(api, String(user)) };
	const [record] = api.records.add('user-uploads', 1, owner, {
		document_type: type,
		file_name: upload.name,
		created_at: api.now(),
		updated_at: api.now(),
	});
	if (record === undefined) throw new Error('the fake Argyle stored no upload');
	api.announce('user_uploads.added', { account: owner.account, user: owner.user, user_upload: record.id });
	return { status: api.createdStatus, body: record };
}
