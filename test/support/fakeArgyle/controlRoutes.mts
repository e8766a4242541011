import { isJson } from '../json.mts';
import type { ApiRequest } from './request.mts';
import { type ApiResponse, notFound } from './response.mts';
import type { FormInput, Subscription } from './types.mts';

interface Controlled {
	subscriptions: ReadonlyMap<string, Subscription>;
	submitForm(input: FormInput): Promise<unknown>;
}

/** Routes of the fake's own, for a person with curl: submit a form, list the subscriptions without their secrets. */
export async function handleControl(argyle: Controlled, { method, url, body }: ApiRequest): Promise<ApiResponse> {
	if (method === 'POST' && url.pathname === '/stand-in/forms')
		return { status: 200, body: await argyle.submitForm(isJson(body) ? body : {}) };
	if (method === 'GET' && url.pathname === '/stand-in/subscriptions') {
		const subscriptions = [...argyle.subscriptions.values()].map(({ secret, ...rest }) => ({
			...rest,
			has_secret: secret !== null,
		}));
		return { status: 200, body: subscriptions };
	}
	return notFound();
}
