import { handleInvites, type InviteStore } from './invites.mts';
import type { Records } from './records.mts';
import type { ApiRequest } from './request.mts';
import type { ApiResponse } from './response.mts';
import { handleSessions } from './sessions.mts';
import { handleVerificationWrites } from './verifications.mts';

export interface WriteStores extends InviteStore {
	records: Records;
}

/** Serves what people start at Argyle; undefined for what only reads. */
export function handleWrite(api: WriteStores, request: ApiRequest): ApiResponse | undefined {
	const [, version, resource, ...rest] = request.url.pathname.split('/');
	if (version !== 'v2') return undefined;
	switch (resource) {
		case 'invites':
			return handleInvites(api, request, rest);
		case 'sessions':
			return handleSessions(api, request, rest);
		case 'verifications':
			return request.method === 'GET' ? undefined : handleVerificationWrites(api, request, rest);
		default:
			return undefined;
	}
}
