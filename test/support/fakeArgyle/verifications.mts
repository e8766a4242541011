import { randomUUID } from 'node:crypto';
import { isJson } from '../json.mts';
import type { ApiRequest } from './request.mts';
import { type ApiResponse, errorResponse, invalidFields, methodNotAllowed, notFound } from './response.mts';
import type { StoredRecord } from './types.mts';
import type { OrderApi } from './orders.mts';

const SOURCE_OF_TYPE: Record<string, string> = {
	voie: 'payroll',
	voe: 'payroll',
	'voie-government': 'payroll',
	voa: 'banking',
	voi: 'banking',
	voai: 'banking',
	'voe-transactions': 'banking',
	'doc-voi-mortgage': 'documents',
};

const object = (value: unknown) => (isJson(value) ? value : {});

/** A nested error, as the map of fields that the request has. */
const inReport = (field: string, message: string) => ({ status: 400, body: { report: { [field]: [message] } } });

function refusal({ users, assumed }: OrderApi, body: Record<string, unknown>): ApiResponse | undefined {
	const report = object(body.report);
	const source = SOURCE_OF_TYPE[String(report.type)];
	const user = users.get(String(body.user));
	if (user === undefined) return invalidFields({ user: ['User does not exist.'] });
	if (source === undefined) return inReport('type', `"${String(report.type)}" is not a valid choice.`);
	if (report.self_certification !== undefined && report.type !== 'voie-government')
		return inReport('self_certification', 'Only for voie-government.');
	const isForGovernment = report.type === 'voie-government';
	if (isForGovernment && body.loan !== undefined && assumed.loanOfGovernment === '400')
		return invalidFields({ loan: ['Not for voie-government.'] });
	const configuration = object(report.configuration);
	if (Array.isArray(configuration.report_custom_fields) && configuration.report_custom_fields.length > 5)
		return inReport('configuration', 'At most five custom fields.');
	const confidence = configuration.income_stream_confidence_minimum;
	if (confidence !== undefined && !(Number(confidence) >= 0 && Number(confidence) <= 100))
		return inReport('configuration', 'Confidence must be from 0 to 100.');
	if (source === 'documents' && (!Array.isArray(body.employments) || body.employments.length === 0))
		return invalidFields({ employments: ['This field is required.'] });
	if (source === 'banking' && !(user.ssn || user.birth_date))
		return invalidFields({ user: ['Either ssn or birth_date is required.'] });
	return undefined;
}

/** Stores what was ordered, as a request does: `{ user, report: { type: 'voie' } }`. */
function storeVerification(
	{ records, now }: Pick<OrderApi, 'records' | 'now'>,
	body: Record<string, unknown>,
	more: object = {},
): StoredRecord {
	const report = object(body.report);
	const { user, loan, billing, configuration } = body;
	const id = randomUUID();
	const verification: StoredRecord = {
		id,
		user,
		created_at: now(),
		updated_at: now(),
		channel: 'api',
		status: { state: 'PENDING', code: 'pending', errors: [] },
		report: { id: null, type: report.type, file_url: null, json_url: null },
		employments: body.employments ?? [],
		...(loan === undefined ? {} : { loan: { ...object(loan), division: object(loan).division ?? 'retail' } }),
		...(billing === undefined ? {} : { billing }),
		...(configuration === undefined ? {} : { configuration }),
		data_source: SOURCE_OF_TYPE[String(report.type)],
		...more,
	};
	records.of('verifications').set(id, verification);
	return verification;
}

function refresh(api: OrderApi, body: Record<string, unknown>): ApiResponse {
	const refused = refusal(api, { ...body, employments: [{}] });
	if (refused !== undefined) return refused;
	const report = object(body.report);
	if (report.type === 'voie-government') return inReport('type', 'Can not be refreshed.');
	const isConnected = [...api.records.of('accounts').values()].some(({ user }) => user === body.user);
	if (!isConnected) return errorResponse(400, 'The user has no connected account.');
	const status = { state: 'PROCESSING', code: 'report_generating', errors: [] };
	return { status: Number(api.assumed.createdStatus), body: storeVerification(api, body, { status }) };
}

const isPaused = ({ status }: StoredRecord) => object(status).state === 'PAUSED';

function update({ now }: OrderApi, verification: StoredRecord, body: Record<string, unknown>): ApiResponse {
	if (body.employments !== undefined && (!isPaused(verification) || verification.data_source !== 'documents'))
		return invalidFields({ employments: ['Only for a documents verification that is paused.'] });
	const { loan, ...rest } = body;
	Object.assign(verification, rest, { updated_at: now() });
	if (loan !== undefined) verification.loan = { ...object(verification.loan), ...object(loan) };
	verification.status = { state: 'PROCESSING', code: 'report_available', errors: [] };
	return { status: 200, body: verification };
}

function cancel({ assumed, now }: OrderApi, verification: StoredRecord): ApiResponse {
	if (!isPaused(verification)) return errorResponse(400, 'Only a paused verification can be cancelled.');
	Object.assign(verification, {
		status: { state: 'CANCELLED', code: 'cancelled_by_client', errors: [] },
		updated_at: now(),
	});
	return { status: 200, body: assumed.emptyAnswer === 'empty' ? undefined : verification };
}

export function handleVerificationOrders(api: OrderApi, request: ApiRequest, [id, action]: string[]): ApiResponse {
	const { method } = request;
	const body = isJson(request.body) ? { ...request.body } : {};
	if (method === 'POST' && id === undefined) {
		const refused = refusal(api, body);
		return refused ?? { status: Number(api.assumed.createdStatus), body: storeVerification(api, body) };
	}
	if (method === 'POST' && id === 'refresh') return refresh(api, body);
	const verification = api.records.of('verifications').get(String(id));
	if (verification === undefined) return notFound();
	if (method === 'PATCH' && action === undefined) return update(api, verification, body);
	if (method === 'POST' && action === 'cancel') return cancel(api, verification);
	return methodNotAllowed(method);
}
