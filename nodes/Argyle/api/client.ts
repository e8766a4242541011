import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestMethods,
	ILoadOptionsFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { type Environment, resolveEnvironment } from './environment';
import { readDetail, redact } from './errorDetail';
import { ArgyleError } from './errors';
import { explainNoAnswer, explainResponse, type FailedCall } from './explain';
import { parseJson } from './guards';
import { type ArgyleResponse, isSuccess, toResponse } from './response';

/** Every n8n context in which this package calls Argyle. */
export type ArgyleContext = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IWebhookFunctions;

/** One call of the API. */
export interface ArgyleRequest {
	method: IHttpRequestMethods;
	/** From the host on, such as `/v2/webhooks`. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	/** What is wanted back; JSON unless told. */
	accept?: string;
	/** Milliseconds until the call is given up; the client's own bound unless told. */
	timeoutMs?: number;
	/** What the call is about, for the message of a 404. */
	subject: string;
	/** Values in the body that must appear in no error. */
	secrets?: string[];
}

/** The Argyle API as one credential sees it. */
export interface ArgyleClient {
	environment: Environment;
	/** Gives a 2xx answer; throws ArgyleError for everything else, also when no answer comes. */
	send(request: ArgyleRequest): Promise<ArgyleResponse>;
	/** As `send`, but gives the JSON of the answer; throws ArgyleError when it holds none. */
	json(request: ArgyleRequest): Promise<unknown>;
	/** Gives the service's own words in an answer, '' when there are none; the key is blotted out. */
	detailOf(response: ArgyleResponse): string;
}

/** Long enough for a slow answer, short enough that a hanging one doesn't hold an execution. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * Takes a context of n8n and gives the client for its `argyleApi` credential. Every request is authenticated by the
 * credential, goes to the credential's own origin only, follows no redirect and has a time-out (milliseconds). Throws
 * ArgyleError when the credential's base URL can't be used.
 */
export async function connect(
	context: ArgyleContext,
	{ itemIndex = 0, timeoutMs = DEFAULT_TIMEOUT_MS }: { itemIndex?: number; timeoutMs?: number } = {},
): Promise<ArgyleClient> {
	const credential = await context.getCredentials('argyleApi', itemIndex);
	const environment = resolveEnvironment(credential);
	const keySecrets = secretsOf(credential);

	async function send(request: ArgyleRequest): Promise<ArgyleResponse> {
		const call: FailedCall = {
			environment,
			subject: request.subject,
			secrets: [...keySecrets, ...(request.secrets ?? [])],
			changesSomething: request.method !== 'GET',
		};
		const response = await attempt(context, environment, request, request.timeoutMs ?? timeoutMs, call);
		if (!isSuccess(response)) throw explainResponse(response, call);
		return response;
	}

	async function json(request: ArgyleRequest): Promise<unknown> {
		const response = await send(request);
		const value = parseJson(response.body);
		if (value === undefined) {
			throw new ArgyleError(
				"Argyle sent an answer that can't be read",
				"JSON was expected. If this goes on, check Base URL in the credential, or ask Argyle's support.",
				{ statusCode: response.statusCode, mayHaveBeenDone: request.method !== 'GET' },
			);
		}
		return value;
	}

	return { environment, send, json, detailOf: (response) => redact(readDetail(response.body), keySecrets) };
}

async function attempt(
	context: ArgyleContext,
	environment: Environment,
	request: ArgyleRequest,
	timeoutMs: number,
	call: FailedCall,
): Promise<ArgyleResponse> {
	const answer: unknown = await context.helpers.httpRequestWithAuthentication
		.call(context, 'argyleApi', {
			method: request.method,
			url: `${environment.origin}${request.path}`,
			qs: request.query,
			body: request.body,
			headers: { Accept: request.accept ?? 'application/json' },
			// Bytes in every case, so that an error is read in one way, also where a PDF was asked for.
			encoding: 'arraybuffer',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: timeoutMs,
		})
		.catch((error: unknown) => {
			throw explainNoAnswer(error, call);
		});
	const response = toResponse(answer);
	if (response === undefined) throw explainNoAnswer(undefined, call);
	return response;
}

function secretsOf({ apiKeyId, apiKeySecret }: IDataObject): string[] {
	const pair = Buffer.from(`${String(apiKeyId)}:${String(apiKeySecret)}`).toString('base64');
	return [String(apiKeySecret), String(apiKeyId), pair];
}
