import { handleCollection } from './collections.mts';
import { handleReceipts } from './receipts.mts';
import type { ApiRequest } from './request.mts';
import { type ApiResponse, errorResponse, notFound } from './response.mts';
import type { ApiKey, ListOrder, StoredRecord, Subscription } from './types.mts';
import { handleWebhooks } from './webhooks.mts';

interface Api {
	key: ApiKey;
	otherEnvironmentKey: ApiKey;
	isSandbox: boolean;
	subscriptions: Map<string, Subscription>;
	users: Map<string, StoredRecord>;
	userForms: Map<string, StoredRecord>;
	accounts: Map<string, StoredRecord>;
	listOrder: ListOrder;
	onCreated(subscription: Subscription): Promise<void>;
}

const basicAuth = ({ id, secret }: ApiKey) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

/** Serves the part of Argyle's API that the nodes use. */
export async function handleApiRequest(api: Api, request: ApiRequest): Promise<ApiResponse> {
	const { authorization } = request;
	if (authorization === basicAuth(api.otherEnvironmentKey)) return errorResponse(401, 'Invalid environment.');
	if (authorization !== basicAuth(api.key)) return errorResponse(401, 'Invalid username/password.');
	if (!request.hasValidBody) return errorResponse(400, 'JSON parse error.');
	const [, version, resource, id, ...rest] = request.url.pathname.split('/');
	if (version !== 'v2' || rest.length > 0) return notFound();
	switch (resource) {
		case 'webhooks':
			return await handleWebhooks(api.subscriptions, request, id, async (created) => await api.onCreated(created));
		case 'receipts':
			return await handleReceipts(api.users, api.isSandbox, request);
		case 'users':
			return handleCollection(api.users, request, id, ['external_id']);
		case 'user-forms':
			return handleCollection(api.userForms, request, id, ['account', 'user'], {
				listOrder: api.listOrder,
				hidden: 'user',
			});
		case 'accounts':
			return handleCollection(api.accounts, request, id, ['user']);
		default:
			return notFound();
	}
}
