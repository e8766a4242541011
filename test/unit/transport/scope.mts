import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import type { ArgyleRequest } from '../../../nodes/Argyle/transport/request';

/** Of a context whose HTTP helper does this. */
export function scopeWith(httpRequest: (options: IHttpRequestOptions) => Promise<unknown>, signal?: AbortSignal) {
	const context: IExecuteFunctions = Object.create({ helpers: { httpRequest } });
	return { context, credential: {}, environment: { origin: '', label: 'Sandbox' as const }, signal };
}

/** To another host, so that no credential is needed. */
export const request: ArgyleRequest = {
	method: 'GET',
	origin: 'https://files.example.com',
	path: '/',
	subject: 'file',
};
