import { RECORD_TYPES, isRecordType } from './recordTypes.mts';
import { type ApiResponse, errorResponse, methodNotAllowed, notFound } from './response.mts';
import type { StoredRecord } from './types.mts';
import type { WriteApi } from './writes.mts';

/** Everything of the account goes, and so do its forms. Of all record types, Argyle reports three. */
export function eraseAccount(api: WriteApi, { id, user }: StoredRecord): void {
	const uploads = [...api.records.of('user-uploads').values()].filter(({ account }) => account === id);
	const forms = [...api.userForms.values()].filter(({ account }) => account === id);
	for (const name of Object.keys(RECORD_TYPES)) {
		if (!isRecordType(name)) continue;
		const store = api.records.of(name);
		for (const record of [...store.values()]) if (record.account === id) store.delete(record.id);
	}
	for (const form of forms) api.userForms.delete(form.id);
	api.records.of('accounts').delete(id);
	api.erased.add(id);
	api.announce('accounts.removed', { account: id, user });
	for (const form of forms) api.announce('user_forms.removed', { account: id, user, user_form: form.id });
	for (const upload of uploads) api.announce('user_uploads.removed', { account: id, user, user_upload: upload.id });
}

/** One paystub and one gig, and what Argyle reports of them. */
function simulate(api: WriteApi, { id: account, user }: StoredRecord): ApiResponse {
	const owner = { account, user: String(user) };
	api.records.add('paystubs', 1, owner, { paystub_date: api.now() });
	api.records.add('gigs', 1, owner, { start_datetime: api.now() });
	for (const event of ['paystubs.added', 'gigs.added', 'accounts.updated']) api.announce(event, { account, user });
	return { status: 200, body: {} };
}

function disableRefresh(api: WriteApi, account: StoredRecord): ApiResponse {
	if (api.assumed.disableRefresh === '403')
		return errorResponse(403, 'Disabling ongoing refresh is not enabled for this workspace.');
	account.ongoing_refresh = { status: 'disabled' };
	api.announce('accounts.updated', { account: account.id, user: account.user });
	return { status: 200 };
}

export function handleAccountWrite(
	api: WriteApi,
	method: string,
	id: string,
	action: string | undefined,
): ApiResponse | undefined {
	const account = api.records.of('accounts').get(id);
	if (account === undefined) {
		return method === 'DELETE' && api.assumed.deletedTwice === '204' && api.erased.has(id)
			? { status: 204 }
			: notFound();
	}
	if (action === undefined) {
		if (method !== 'DELETE') return methodNotAllowed(method);
		eraseAccount(api, account);
		return { status: 204 };
	}
	if (method !== 'POST') return methodNotAllowed(method);
	if (action === 'disable-ongoing-refresh') return disableRefresh(api, account);
	return action === 'periodic-scan' && api.isSandbox ? simulate(api, account) : notFound();
}
