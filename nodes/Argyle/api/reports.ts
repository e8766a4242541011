import type { IDataObject } from 'n8n-workflow';

import type { ArgyleClient } from '../transport/client';
import { ArgyleError } from '../transport/errors';
import { DAY_MS } from '../utils/clock';
import { isDataObject } from '../utils/json';
import { ACCOUNTS, listOf } from './records';
import { RECORD_TYPES } from './recordTypes';
import { fetchPage, listRecords, MAX_PAGE_SIZE } from './pagination';
import { reportTypeNames } from './reportTypes';
import { type AttemptOf, writeOnce } from './writeOnce';

export const GENERATED_REPORT_TYPES = reportTypeNames(['voe', 'voe-mortgage', 'voie', 'voie-mortgage']);

/**
 * How many reports Argyle makes for a user in a day. To delete one of the same day makes room for another (Argyle's
 * OpenAPI file 1.0.111).
 */
const MAX_REPORTS_A_DAY = 10;

export type ReportRequest = { user: string; metadata?: IDataObject };

const list = listOf(RECORD_TYPES.report);

/** Reads all reports of the user, because nobody knows whether the newest come first. */
const reportsOf = async (client: ArgyleClient, user: string) =>
	await listRecords(client, { ...list, query: { user } }, Infinity);

/** No source says with which status Argyle refuses the eleventh report, so the user's reports are counted. */
async function explainRefusal(client: ArgyleClient, user: string, error: unknown): Promise<never> {
	if (error instanceof ArgyleError && [400, 403, 429].includes(Number(error.details.statusCode))) {
		const reports = await reportsOf(client, user).catch(() => []);
		const since = client.toServiceTime(Date.now()) - DAY_MS;
		const recent = reports.filter(({ created_at: createdAt }) => Date.parse(String(createdAt)) >= since);
		if (recent.length >= MAX_REPORTS_A_DAY) {
			throw new ArgyleError(
				`Argyle makes no more than ${MAX_REPORTS_A_DAY} reports of a user a day`,
				`Use one that is there (Report: Get Many), wait, or delete one of today's reports, so that another can be made. ${error.description}`,
				error.details,
			);
		}
	}
	throw error;
}

/** Returns the same text whatever the order of the fields. */
const fieldsOf = (metadata: unknown) => JSON.stringify(Object.entries(isDataObject(metadata) ? metadata : {}).sort());

const timeOf = (time: unknown) => Date.parse(String(time));

/**
 * Finds a report that a new one would only repeat. So an interrupted workflow finds its report when it runs again. The
 * report has the same user, type and metadata, it is not older than `maxAgeMs`, and Argyle has fetched nothing for the
 * user since: an account's `updated_at` moves whenever Argyle scans the account, and with each value that changes
 * (Argyle's OpenAPI file 1.0.111).
 */
export async function findCurrentReport(
	client: ArgyleClient,
	type: string,
	{ user, metadata }: ReportRequest,
	maxAgeMs: number,
): Promise<IDataObject | undefined> {
	const reports = await reportsOf(client, user);
	const since = client.toServiceTime(Date.now()) - maxAgeMs;
	const [latest] = reports
		.filter((report) => report.type === type && report.status !== 'failed' && timeOf(report.created_at) >= since)
		.filter((report) => fieldsOf(report.metadata) === fieldsOf(metadata))
		.sort((one, other) => timeOf(other.created_at) - timeOf(one.created_at));
	if (latest === undefined || latest.status === 'waiting_for_sync') return latest;
	const accounts = await fetchPage(client, listOf(ACCOUNTS), { user, limit: MAX_PAGE_SIZE });
	const hasNoNews = accounts.records.every((account) => timeOf(account.updated_at) < timeOf(latest.created_at));
	const known = new Set(accounts.records.map(({ id }) => id));
	const reported = Array.isArray(latest.accounts) ? latest.accounts.filter(isDataObject) : [];
	const isComplete = accounts.next === undefined && reported.every(({ id }) => known.has(id));
	return hasNoNews && isComplete ? latest : undefined;
}

/** POST /v2/reports/{type}; after an unclear answer, this looks for the report among the user's reports. */
export async function generateReport(
	client: ArgyleClient,
	attemptOf: AttemptOf,
	type: string,
	body: ReportRequest,
): Promise<IDataObject> {
	const { user } = body;
	const report = writeOnce(client, attemptOf, {
		request: {
			method: 'POST',
			path: `${list.path}/${type}`,
			body,
			subject: `user ${user}`,
			unclear: { what: 'the report is being generated', check: 'Report: Get Many' },
		},
		findCreated: async (isSince) => {
			const reports = await reportsOf(client, user);
			return reports.filter((report) => report.type === type && isSince(report.created_at));
		},
	});
	return await report.catch(async (error: unknown) => await explainRefusal(client, user, error));
}
