import { isJson } from '../json.mts';
import type { ApiRequest } from './request.mts';
import { type ApiResponse, notFound } from './response.mts';
import type { FormInput } from './types.mts';

interface Controlled {
	submitForm(input: FormInput): Promise<unknown>;
}

/** A route of the fake's own, with which a person submits a form by curl. */
export async function handleControl(argyle: Controlled, { method, url, body }: ApiRequest): Promise<ApiResponse> {
	if (method === 'POST' && url.pathname === '/stand-in/forms')
		return { status: 200, body: await argyle.submitForm(isJson(body) ? body : {}) };
	return notFound();
}
