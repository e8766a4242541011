import { handleCollection, valueAt } from './collections.mts';
import { handleEmployerSearch, handleItems } from './employers.mts';
import { FAMILIES, type Family, type FamilyName, isFamily } from './families.mts';
import { fileResponse } from './files.mts';
import { handleReceipts } from './receipts.mts';
import type { ApiRequest } from './request.mts';
import { type ApiResponse, errorResponse, notFound } from './response.mts';
import type { ApiKey, ListOrder, ListShape, StoredRecord, Subscription } from './types.mts';
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
	listShape: ListShape;
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

const basicAuth = ({ id, secret }: ApiKey) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

/** Serves the part of Argyle's API that the nodes use. */
export async function handleApiRequest(api: Api, request: ApiRequest): Promise<ApiResponse> {
	const { authorization, url } = request;
	const { listOrder, listShape } = api;
	if (authorization === basicAuth(api.otherEnvironmentKey)) return errorResponse(401, 'Invalid environment.');
	if (authorization !== basicAuth(api.key)) return errorResponse(401, 'Invalid username/password.');
	if (!request.hasValidBody) return errorResponse(400, 'JSON parse error.');
	const [, version, resource = '', id, ...rest] = url.pathname.split('/');
	const file = api.records.files.get(url.pathname);
	if (file !== undefined) return fileResponse(file);
	const ordered = handleOrder(api, request);
	if (ordered !== undefined) return ordered;
	const written = version === 'v2' ? handleWrite(api, request) : undefined;
	if (written !== undefined) return written;
	if (version !== 'v2' || rest.length > 0) return notFound();
	switch (resource) {
		case 'webhooks':
			return await handleWebhooks(api.subscriptions, request, id, async (created) => await api.onCreated(created));
		case 'receipts':
			return await handleReceipts(api.users, api.isSandbox, request);
		case 'users':
			return handleCollection(api.users, request, id, { filters: ['external_id'], listShape });
		case 'user-forms':
			return handleCollection(api.userForms, request, id, {
				filters: ['account', 'user'],
				shown: ({ user: _, ...form }) => form,
				listOrder,
				listShape,
			});
		case 'items':
			return handleItems(api.items, request, id);
		case 'employer-search':
			return id === undefined
				? handleEmployerSearch(api.items, request, api.assumed.searchLinks === 'yes')
				: notFound();
		default:
			return isFamily(resource) ? handleFamily(api, resource, request, id) : notFound();
	}
}

function handleFamily(api: Api, name: FamilyName, request: ApiRequest, id: string | undefined): ApiResponse {
	const { origin, records, listOrder, listShape } = api;
	const family: Family = FAMILIES[name];
	/** Most records don't name their user, but Argyle filters by it. */
	const filteredBy = (record: StoredRecord, filter: string) =>
		filter === 'user' && record.user === undefined
			? records.of('accounts').get(String(record.account))?.user
			: valueAt(record, FIELD_OF[filter] ?? [filter]);
	const absolute = (value: unknown) => (typeof value === 'string' && value.startsWith('/') ? origin + value : value);
	const shown = (record: StoredRecord) =>
		Object.fromEntries(
			Object.entries(record).map(([field, value]) => [field, field.endsWith('_url') ? absolute(value) : value]),
		);
	return handleCollection(records.of(name), request, id, { ...family, filteredBy, shown, listOrder, listShape });
}
