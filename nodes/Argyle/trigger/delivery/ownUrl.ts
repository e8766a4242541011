import type { IDataObject, IHookFunctions, ITriggerFunctions } from 'n8n-workflow';
import { createHmac } from 'node:crypto';

import { SIGNATURE_HEADER } from '../../api/signature';
import { toResponse } from '../../transport/request';
import { parseJson } from '../../utils/json';

/** The route may not be open from inside. */
const TIMEOUT_MS = 5_000;

/**
 * Posts a message to a URL of the trigger's own, signed as Argyle signs its deliveries. Returns the JSON of the answer,
 * undefined when there is none. Never throws.
 */
export async function callOwnUrl(
	context: IHookFunctions | ITriggerFunctions,
	url: string,
	secret: string,
	message: IDataObject,
): Promise<unknown> {
	const body = JSON.stringify(message);
	const signature = createHmac('sha512', secret).update(body).digest('hex');
	const response: unknown = await context.helpers
		.httpRequest({
			method: 'POST',
			url,
			body,
			headers: { 'Content-Type': 'application/json', [SIGNATURE_HEADER]: signature },
			encoding: 'arraybuffer',
			returnFullResponse: true,
			disableFollowRedirect: true,
			timeout: TIMEOUT_MS,
		})
		.catch(() => undefined);
	return parseJson(toResponse(response)?.body ?? Buffer.alloc(0));
}
