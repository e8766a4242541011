import { randomUUID } from 'node:crypto';
import { isJson } from '../json.mts';
import type { StoredRecord } from './types.mts';
import type { WriteApi } from './writes.mts';

export const stateOf = ({ status }: StoredRecord) => (isJson(status) ? String(status.state) : '');

export const isUnfinished = (verification: StoredRecord) => !['COMPLETED', 'CANCELLED'].includes(stateOf(verification));

const UNREPORTED = ['PENDING', 'CANCELLED'];

/** A verification comes to another state, and that is reported; of PENDING and CANCELLED Argyle reports nothing. */
export function moveVerification(api: WriteApi, verification: StoredRecord, state: string, code: string): void {
	Object.assign(verification, { status: { state, code, errors: [] }, updated_at: api.now() });
	if (!UNREPORTED.includes(state))
		api.announce('verifications.updated', { verification: verification.id, user: verification.user });
}

export function completeVerification(api: WriteApi, verification: StoredRecord): void {
	const user = String(verification.user);
	const type = isJson(verification.report) ? verification.report.type : 'voie';
	const account = [...api.records.of('accounts').values()].find((each) => each.user === user);
	const known = isJson(verification.report) ? verification.report.id : null;
	const isKept = api.assumed.reportOfNextCompletion === 'the same' && typeof known === 'string';
	const made = { type, created_at: api.now(), generated_at: api.now(), ...(isKept && { id: known }) };
	const [report] = api.records.add('reports', 1, { user, account: account?.id ?? randomUUID() }, made);
	if (report === undefined) throw new Error('the fake Argyle stored no report');
	verification.report = { id: report.id, type, file_url: report.file_url, json_url: report.json_url };
	moveVerification(api, verification, 'COMPLETED', 'completed');
}
