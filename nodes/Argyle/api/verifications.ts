import type { IDataObject } from 'n8n-workflow';

import type { ArgyleClient } from '../transport/client';
import { isDataObject } from '../utils/json';
import { getRecord, VERIFICATIONS } from './records';
import { listRecords } from './pagination';
import { REPORT_TYPE_NAMES, type ReportTypeName } from './reportTypes';
import { type AttemptOf, type IsSince, writeOnce } from './writeOnce';

const { path: PATH } = VERIFICATIONS;

/** Where a report's data come from. This decides which fields an order takes (Argyle's OpenAPI file 1.0.111). */
export type DataSource = 'banking' | 'documents' | 'payroll';

interface ReportType {
	name: string;
	source: DataSource;
	/** Whether a verification can be refreshed without the person. */
	canBeRefreshed: boolean;
	/** Whether Argyle's list can be filtered by this type. */
	isListed: boolean;
}

const type = (value: ReportTypeName, source: DataSource, more: Partial<ReportType> = {}): [string, ReportType] => [
	value,
	{ name: REPORT_TYPE_NAMES[value], source, canBeRefreshed: true, isListed: true, ...more },
];

/** The types of reports that can be ordered, by Argyle's values. */
export const REPORT_TYPES: Record<string, ReportType> = Object.fromEntries([
	type('voie', 'payroll'),
	type('voe', 'payroll'),
	type('voie-government', 'payroll', { canBeRefreshed: false, isListed: false }),
	type('voa', 'banking'),
	type('voi', 'banking'),
	type('voai', 'banking'),
	type('voe-transactions', 'banking'),
	type('doc-voi-mortgage', 'documents'),
]);

/** The body of POST /v2/verifications and /refresh. */
export interface Order extends IDataObject {
	report: IDataObject & { type: string };
	loan?: IDataObject;
	billing?: { cost_center: string };
}

export interface OrderRequest extends Order {
	user: string;
}

const recordRequest = (id: string) => ({
	path: `${PATH}/${encodeURIComponent(id)}`,
	subject: `verification ${id}`,
});

/** The verifications that an order may have made. */
async function findOrdered(client: ArgyleClient, request: OrderRequest, isSince: IsSince): Promise<IDataObject[]> {
	const { user, report, loan } = request;
	const query: IDataObject = { user };
	if (REPORT_TYPES[report.type]?.isListed) query.report_type = report.type;
	if (loan?.number !== undefined) query.loan_number = loan.number;
	const accepts = (record: IDataObject) =>
		isSince(record.created_at) && isDataObject(record.report) && record.report.type === report.type;
	return await listRecords(client, { path: PATH, subject: 'list of verifications', query, accepts }, Infinity);
}

export const ORDER = { path: PATH, what: 'the verification was ordered' };

/** Orders a new verification from what is connected already, without the person. */
export const REFRESH = { path: `${PATH}/refresh`, what: 'the verification was refreshed' };

export async function order(
	client: ArgyleClient,
	attemptOf: AttemptOf,
	request: OrderRequest,
	{ path, what }: typeof ORDER,
): Promise<IDataObject> {
	return await writeOnce(client, attemptOf, {
		request: {
			method: 'POST',
			path,
			body: request,
			subject: `user ${request.user}`,
			unclear: { what, check: 'Verification: Get Many' },
		},
		findCreated: async (isSince) => await findOrdered(client, request, isSince),
	});
}

/** Whether a record shows all that was sent. */
function holds(record: IDataObject, body: IDataObject): boolean {
	return Object.entries(body).every(([field, sent]) => {
		const kept = record[field];
		return isDataObject(sent) ? isDataObject(kept) && holds(kept, sent) : JSON.stringify(kept) === JSON.stringify(sent);
	});
}

/** `body` has what is to be changed, and nothing else. */
export async function updateVerification(
	client: ArgyleClient,
	attemptOf: AttemptOf,
	id: string,
	body: IDataObject,
): Promise<IDataObject> {
	return await writeOnce(client, attemptOf, {
		request: {
			...recordRequest(id),
			method: 'PATCH',
			body,
			unclear: { what: 'the verification was updated', check: 'Verification: Get' },
		},
		findChanged: async () => {
			const record = await getRecord(client, VERIFICATIONS, id);
			return holds(record, body) ? record : undefined;
		},
	});
}

/** Argyle can cancel only a verification that is paused. */
export async function cancelVerification(client: ArgyleClient, attemptOf: AttemptOf, id: string): Promise<IDataObject> {
	const { path, subject } = recordRequest(id);
	return await writeOnce(client, attemptOf, {
		request: {
			method: 'POST',
			path: `${path}/cancel`,
			subject,
			unclear: { what: 'the verification was cancelled', check: 'Verification: Get' },
		},
		findChanged: async () => {
			const record = await getRecord(client, VERIFICATIONS, id);
			return isDataObject(record.status) && record.status.state === 'CANCELLED' ? record : undefined;
		},
	});
}
