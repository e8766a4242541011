import { isJson } from '../json.mts';
import { type Answer, detail } from './response.mts';
import type { FormInput, Subscription } from './types.mts';

/** What of the service a person at a shell can reach. */
interface Controlled {
	subscriptions: ReadonlyMap<string, Subscription>;
	submitForm(input: FormInput): Promise<unknown>;
}

/** Takes a call that is no part of Argyle: submits a form, or shows the subscriptions without their secrets. */
export async function answerControl(service: Controlled, method: string, path: string, body: unknown): Promise<Answer> {
	if (method === 'POST' && path === '/stand-in/forms')
		return { status: 200, body: await service.submitForm(isJson(body) ? body : {}) };
	if (method === 'GET' && path === '/stand-in/subscriptions') {
		const shown = [...service.subscriptions.values()].map(({ secret, ...rest }) => ({
			...rest,
			has_secret: secret !== null,
		}));
		return { status: 200, body: shown };
	}
	return detail(404, 'Not found.');
}
