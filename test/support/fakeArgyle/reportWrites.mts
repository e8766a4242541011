import { isJson } from '../json.mts';
import type { ApiRequest } from './request.mts';
import { type ApiResponse, errorResponse, invalidFields, methodNotAllowed, notFound } from './response.mts';
import type { WriteApi } from './writes.mts';

const TYPES = ['voe', 'voie', 'voe-mortgage', 'voie-mortgage'];

/** A day and user; what is deleted frees its place (Argyle's OpenAPI file). */
const REPORTS_A_DAY = 10;
const DAY_MS = 24 * 3_600_000;

function generate(api: WriteApi, type: string, body: unknown): ApiResponse {
	const { user, metadata = {} } = isJson(body) ? body : {};
	const owner = api.users.get(String(user));
	if (owner === undefined) return invalidFields({ user: ['User not found.'] });
	const account = [...api.records.of('accounts').values()].find((each) => each.user === owner.id);
	if (account === undefined) return errorResponse(400, 'The user has no connected account.');
	const since = Date.parse(api.now()) - DAY_MS;
	const reports = [...api.records.of('reports').values()].filter((report) => report.user === owner.id);
	if (reports.filter(({ created_at: at }) => Date.parse(String(at)) >= since).length >= REPORTS_A_DAY)
		return errorResponse(Number(api.assumed.eleventhReport), 'Report limit reached: 10 reports per user in 24 hours.');
	const [report] = api.records.add(
		'reports',
		1,
		{ user: owner.id, account: account.id },
		{
			...{ type, status: 'generating', metadata, external_id: owner.external_id ?? null },
			...{ created_at: api.now(), generated_at: api.now() },
		},
	);
	if (report === undefined) throw new Error('the fake Argyle stored no report');
	return { status: api.createdStatus, body: { ...report } };
}

/** Serves `POST /v2/reports/{type}` and `DELETE /v2/reports/{id}`. */
export function handleReportWrite(api: WriteApi, { method, body }: ApiRequest, part: string): ApiResponse {
	if (method === 'POST') return TYPES.includes(part) ? generate(api, part, body) : notFound();
	if (method !== 'DELETE') return methodNotAllowed(method);
	if (api.records.of('reports').delete(part)) {
		api.erased.add(part);
		return { status: 204 };
	}
	return api.assumed.deletedTwice === '204' && api.erased.has(part) ? { status: 204 } : notFound();
}

/** What Argyle does a moment later: the file is there, which is reported. */
export function completeReport(api: WriteApi, id: string): void {
	const report = api.records.of('reports').get(id);
	if (report === undefined) throw new Error(`the fake Argyle has no report ${id}`);
	report.status = 'generated';
	const { user, type } = report;
	api.announce('reports.generated', api.assumed.generatedEvent === 'ID' ? { user, type, report: id } : { user, type });
}
