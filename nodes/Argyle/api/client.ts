import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestMethods,
	ILoadOptionsFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { type Environment, resolveEnvironment } from './environment';
import { readDetail } from './errorDetail';
import type { ArgyleError } from './errors';
import { explainNoAnswer, explainResponse, explainUnreadable, type FailedCall } from './explain';
import { parseJson } from './guards';
import { type Patience, patienceLeft, persist } from './persist';
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
	/** Milliseconds until one try is given up; the client's own bound unless told. */
	timeoutMs?: number;
	/**
	 * Whether making the call twice is the same as making it once: reading and deleting are, and whatever else says so.
	 * Other calls are repeated only when they surely weren't carried out.
	 */
	isRepeatable?: boolean;
	/** What the call is about, for the message of a 404. */
	subject: string;
	/** Values in the body that must appear in no error. */
	secrets?: string[];
}

/** The Argyle API as one credential sees it. */
export interface ArgyleClient {
	environment: Environment;
	/**
	 * Gives a 2xx answer. What fails in passing is repeated while the client's patience lasts; a deletion whose repeat
	 * finds nothing is a success. Throws ArgyleError for everything else, also when no answer comes.
	 */
	send(request: ArgyleRequest): Promise<ArgyleResponse>;
	/** As `send`, but gives the JSON of the answer; throws ArgyleError when it holds none. */
	json(request: ArgyleRequest): Promise<unknown>;
	/** Gives the service's own words in an answer, '' when there are none; the key is blotted out. */
	detailOf(response: ArgyleResponse): string;
	/** Repeats work of several calls, which must be the same when done twice, while the client's patience lasts. */
	persist<T>(work: () => Promise<T>): Promise<T>;
	/** Tells whether the service was waited for in vain a moment ago. */
	hasGivenUp(): boolean;
}

/** How a client asks. All times in milliseconds. */
export interface ClientOptions {
	itemIndex?: number;
	/** Until one try of a call is given up. */
	timeoutMs?: number;
	/** How long a service that is away, or too busy, is waited for. */
	patienceMs?: number;
	/** Until one try is given up when the patience has come to its end; `timeoutMs` unless told. */
	lateTimeoutMs?: number;
}

/** Long enough for a slow answer, short enough that a hanging one doesn't hold an execution. */
const DEFAULT_TIMEOUT_MS = 30_000;

/** A minute of patience saves an execution from a restart at Argyle; a longer one would only hide an outage. */
const DEFAULT_PATIENCE_MS = 60_000;

/**
 * Takes a context of n8n and gives the client for its `argyleApi` credential. Every request is authenticated by the
 * credential, goes to the credential's own origin only, follows no redirect, has a time-out, and ends when the
 * execution is stopped. Throws ArgyleError when the credential's base URL can't be used.
 */
export async function connect(
	context: ArgyleContext,
	{
		itemIndex = 0,
		timeoutMs = DEFAULT_TIMEOUT_MS,
		patienceMs = DEFAULT_PATIENCE_MS,
		lateTimeoutMs,
	}: ClientOptions = {},
): Promise<ArgyleClient> {
	const credential = await context.getCredentials('argyleApi', itemIndex);
	const environment = resolveEnvironment(credential);
	const keySecrets = secretsOf(credential);
	const signal = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	const patience: Patience = { origin: environment.origin, patienceMs, signal };

	const describe = (request: ArgyleRequest): FailedCall => ({
		environment,
		subject: request.subject,
		secrets: [...keySecrets, ...(request.secrets ?? [])],
		changesSomething: request.method !== 'GET',
	});

	/** A time-out that fits into what is left of the patience, as far as the late one allows. */
	function timeoutOf(request: ArgyleRequest): number {
		const own = request.timeoutMs ?? timeoutMs;
		return Math.max(lateTimeoutMs ?? own, Math.min(own, patienceLeft(patience)));
	}

	async function repeat<T>(request: ArgyleRequest, read: (response: ArgyleResponse) => T): Promise<T> {
		const call = describe(request);
		const isRepeatable = request.isRepeatable ?? ['GET', 'DELETE'].includes(request.method);
		let mayBeDone = false;
		return await persist(
			patience,
			async () => {
				const response = await attempt(context, environment, request, timeoutOf(request), signal, call);
				const isGone = mayBeDone && request.method === 'DELETE' && response.statusCode === 404;
				if (!isSuccess(response) && !isGone) throw explainResponse(response, call);
				return read(response);
			},
			(error: ArgyleError) => {
				mayBeDone ||= error.mayHaveBeenDone;
				return isRepeatable || !error.mayHaveBeenDone;
			},
		);
	}

	return {
		environment,
		send: async (request) => await repeat(request, (response) => response),
		json: async (request) =>
			await repeat(request, (response) => {
				const value = parseJson(response.body);
				if (value === undefined) throw explainUnreadable(response, describe(request));
				return value;
			}),
		detailOf: (response) => readDetail(response.body, keySecrets),
		persist: async (work) => await persist(patience, work),
		hasGivenUp: () => patienceLeft(patience) === 0,
	};
}

async function attempt(
	context: ArgyleContext,
	environment: Environment,
	request: ArgyleRequest,
	timeoutMs: number,
	signal: AbortSignal | undefined,
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
			abortSignal: signal,
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
