import { handleAccountWrite } from './accountWrites.mts';
import type { Assumed } from './assumed.mts';
import type { Records } from './records.mts';
import { handleReportWrite } from './reportWrites.mts';
import type { ApiRequest } from './request.mts';
import type { ApiResponse } from './response.mts';
import type { StoredRecord } from './types.mts';
import { handleUpload } from './uploads.mts';
import { handleUserWrite } from './userWrites.mts';

export interface WriteApi {
	isSandbox: boolean;
	assumed: Assumed;
	/** Of a success that makes a record. */
	createdStatus: number;
	maxUploadBytes: number;
	users: Map<string, StoredRecord>;
	userForms: Map<string, StoredRecord>;
	records: Records;
	erased: Set<string>;
	now(): string;
	/** Delivers an event after the response. */
	announce(event: string, data: Record<string, unknown>): void;
}

/** Serves a request that creates, changes or deletes; undefined when it is none of those that are known here. */
export function handleWrite(api: WriteApi, request: ApiRequest): ApiResponse | undefined {
	const { method, url } = request;
	const [, , resource = '', id, action] = url.pathname.split('/');
	if (!['POST', 'PATCH', 'DELETE'].includes(method)) return undefined;
	switch (resource) {
		case 'users':
			return action === undefined ? handleUserWrite(api, request, id) : undefined;
		case 'accounts':
			return id === undefined ? undefined : handleAccountWrite(api, method, id, action);
		case 'reports':
			return id === undefined || action !== undefined ? undefined : handleReportWrite(api, request, id);
		case 'user-uploads':
			return method === 'POST' && id === undefined ? handleUpload(api, request) : undefined;
		default:
			return undefined;
	}
}
