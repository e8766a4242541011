import type { Assumed } from './assumed.mts';
import { type Collection, handleCollection, valueAt } from './collections.mts';
import { handleEmployerSearch, handleItems } from './employers.mts';
import { RECORD_TYPES, type RecordType, type RecordTypeName, isRecordType } from './recordTypes.mts';
import { type FileHost, fileResponse } from './files.mts';
import { isOldestFirst, shownRecord } from './shownRecord.mts';
import { handleReceipts } from './receipts.mts';
import type { ApiRequest } from './request.mts';
import { type ApiResponse, errorResponse, invalidFields, notFound } from './response.mts';
import type { ApiKey, ListOrder, ServedFile, StoredRecord, Subscription } from './types.mts';
import { handleWebhooks } from './webhooks.mts';
import { handleOrder, type OrderApi } from './orders.mts';
import { handleWrite, type WriteApi } from './writes.mts';

interface Api extends WriteApi, OrderApi {
	origin: string;
	key: ApiKey;
	otherEnvironmentKey: ApiKey;
	subscriptions: Map<string, Subscription>;
	items: Map<string, StoredRecord>;
	listOrder: ListOrder;
	assumed: Assumed;
	fileHost: FileHost;
	onCreated(subscription: Subscription): Promise<void>;
}

/** Where a filter's field is not of its name. */
const FIELD_OF: Record<string, string[]> = {
	ongoing_refresh_status: ['ongoing_refresh', 'status'],
	status_state: ['status', 'state'],
	status_code: ['status', 'code'],
	report_type: ['report', 'type'],
	loan_number: ['loan', 'number'],
};

/** Asked for by whoever wants to know what becomes of parameters that Argyle does not have. */
const UNKNOWN_PARAMETER = 'unknown_parameter';

const basicAuth = ({ id, secret }: ApiKey) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

/** Serves the part of Argyle's API that the nodes use. */
export async function handleApiRequest(api: Api, request: ApiRequest): Promise<ApiResponse> {
	const { authorization, url } = request;
	const { assumed } = api;
	const isOfOtherEnvironment = authorization === basicAuth(api.otherEnvironmentKey);
	if (isOfOtherEnvironment && assumed.keyOfOtherEnvironment === '401 that names the environment')
		return errorResponse(401, 'Invalid environment.');
	if (authorization !== basicAuth(api.key)) {
		if (isOfOtherEnvironment || assumed.unknownKey === '401 with a detail')
			return errorResponse(401, 'Invalid username/password.');
		return { status: 403, body: { message: 'Forbidden' } };
	}
	if (!request.hasValidBody) return errorResponse(400, 'JSON parse error.');
	const [, version, resource = '', id, ...rest] = url.pathname.split('/');
	const refusal = refusalOf(api, request, id);
	if (refusal !== undefined) return refusal;
	const file = api.records.files.get(url.pathname);
	if (file !== undefined) return wayTo(api, url, resource, file);
	const ordered = handleOrder(api, request);
	if (ordered !== undefined) return ordered;
	const written = version === 'v2' ? handleWrite(api, request) : undefined;
	if (written !== undefined) return written;
	if (version !== 'v2' || rest.length > 0) return notFound();
	switch (resource) {
		case 'webhooks':
			return await handleWebhooks(api, request, id);
		case 'receipts':
			return await handleReceipts(api.users, api.isSandbox, assumed, request);
		case 'users':
			return handleCollection(api.users, request, id, listed(api, resource, { filters: ['external_id'] }));
		case 'user-forms':
			return handleCollection(api.userForms, request, id, listed(api, resource, formFilters(api)));
		case 'items':
			return handleItems(api.items, request, id, assumed);
		case 'employer-search':
			return id === undefined
				? handleEmployerSearch(api.items, request, api.assumed.searchLinks === 'yes')
				: notFound();
		default:
			return isRecordType(resource) ? handleRecordType(api, resource, request, id) : notFound();
	}
}

/** A payroll document is in another company's store, at a signed address. */
function wayTo({ assumed, fileHost }: Api, url: URL, resource: string, file: ServedFile): ApiResponse {
	if (resource === 'payroll-documents' && assumed.wayToDocument === 'a redirect' && file.status === undefined)
		return { status: 302, headers: { Location: fileHost.sign(url.pathname, file) } };
	const { body } = file;
	if (/^\/v2\/reports\/.*json$/.test(url.pathname) && assumed.reportJson === 'a list' && body !== undefined)
		return fileResponse({ ...file, body: `[${String(body)}]` });
	if (assumed.wayToFile === 'the file' || resource === 'payroll-documents' || url.searchParams.has('direct'))
		return fileResponse(file);
	return { status: 302, headers: { Location: `${url.href}?direct=1` } };
}

/** Why a list is refused before it is read; undefined when it is not. */
function refusalOf(api: Api, { url, method }: ApiRequest, id: string | undefined): ApiResponse | undefined {
	const { assumed, users } = api;
	if (method !== 'GET' || id !== undefined) return undefined;
	if (assumed.unknownParameter === 'refuses it' && url.searchParams.has(UNKNOWN_PARAMETER))
		return invalidFields({ [UNKNOWN_PARAMETER]: ['Unknown parameter.'] });
	const user = url.searchParams.get('user');
	const isUnknown = user !== null && !users.has(user);
	return isUnknown && assumed.filterByUnknownUser === '404' ? notFound() : undefined;
}

function listed(api: Api, resource: string, collection: Pick<Collection, 'filters' | 'filteredBy' | 'date' | 'range'>) {
	const { origin, assumed } = api;
	const isPaged =
		assumed.pageShape !== 'results alone' &&
		!(resource === 'employments' && assumed.shapeOfEmployments === 'results alone');
	return {
		...collection,
		shown: (record: StoredRecord) => shownRecord(resource, record, origin, assumed),
		listOrder: isOldestFirst(resource, assumed)
			? ('oldestFirst' as const)
			: resource === 'users'
				? undefined
				: api.listOrder,
		isPaged,
		assumed,
	};
}

function formFilters(api: Api): Pick<Collection, 'filters' | 'filteredBy'> {
	return { filters: api.assumed.formsOfUser === 'all' ? ['account'] : ['account', 'user'] };
}

function handleRecordType(api: Api, name: RecordTypeName, request: ApiRequest, id: string | undefined): ApiResponse {
	const { records } = api;
	const recordType: RecordType = RECORD_TYPES[name];
	/** Most records don't name their user, but Argyle filters by it. */
	const filteredBy = (record: StoredRecord, filter: string) =>
		filter === 'user' && record.user === undefined
			? records.of('accounts').get(String(record.account))?.user
			: valueAt(record, FIELD_OF[filter] ?? [filter]);
	return handleCollection(records.of(name), request, id, listed(api, name, { ...recordType, filteredBy }));
}
