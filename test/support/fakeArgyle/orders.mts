import { handleInvites, type InviteStore } from './invites.mts';
import type { Records } from './records.mts';
import type { ApiRequest } from './request.mts';
import type { ApiResponse } from './response.mts';
import { handleSessions } from './sessions.mts';
import { handleVerificationOrders } from './verifications.mts';

export interface OrderApi extends InviteStore {
	records: Records;
}

/** Serves invites, sessions, and what orders verifications; undefined for everything else. */
export function handleOrder(api: OrderApi, request: ApiRequest): ApiResponse | undefined {
	const [, version, resource, ...rest] = request.url.pathname.split('/');
	if (version !== 'v2') return undefined;
	switch (resource) {
		case 'invites':
			return handleInvites(api, request, rest);
		case 'sessions':
			return handleSessions(api, request, rest);
		case 'verifications':
			return request.method === 'GET' ? undefined : handleVerificationOrders(api, request, rest);
		default:
			return undefined;
	}
}
