import type { IDataObject } from 'n8n-workflow';

import { download } from './download';
import { type Environment, resolveEnvironment } from './environment';
import { LONGEST_READ, readDetail } from './errorDetail';
import { ArgyleError } from './errors';
import { errorFromNoResponse, errorFromResponse, errorFromUnreadableBody, type RequestInfo } from './errorMapper';
import { parseJson } from '../utils/json';
import { rateLimiterFor } from './rateLimiter';
import { type RetryPolicy, remainingRetryBudget, retry } from './retry';
import { type ArgyleContext, type ArgyleRequest, sendRequest, type Encoding } from './request';
import { type ArgyleResponse, isSuccess, type StreamedResponse, toResponse, toStreamedResponse } from './response';
import { readPrefix } from './byteStream';

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
	/**
	 * As `send`, but hands a 2xx answer's bytes on while they come in. When they break off, or `keep` throws what passes by
	 * itself, all of it is repeated.
	 */
	stream<T>(request: ArgyleRequest, keep: (response: StreamedResponse) => Promise<T>): Promise<T>;
	/** Gives the service's own words in the bytes of an answer, '' when there are none; the key is blotted out. */
	detailOf(body: Buffer): string;
	/** Repeats work of several calls, which must be the same when done twice, while the client's patience lasts. */
	retry<T>(work: () => Promise<T>): Promise<T>;
	/** Tells whether the service was waited for in vain a moment ago. */
	isRetryBudgetSpent(): boolean;
}

/** How a client asks. All times in milliseconds. */
export interface ClientOptions {
	itemIndex?: number;
	/** Until one try of a call is given up. */
	timeoutMs?: number;
	/** How long a service that is away, or too busy, is waited for. */
	maxElapsedMs?: number;
	/** Until one try is given up when the patience has come to its end; `timeoutMs` unless told. */
	minTimeoutMs?: number;
	/** How many requests may start in any second, together with all others of the account and this rate in this process. */
	requestsPerSecond?: number;
	/** Ends everything at once; n8n's own end of the execution unless told. */
	signal?: AbortSignal;
}

/** Under the 50 a second that Argyle allows an account, so that its other traffic lives. */
export const DEFAULT_REQUESTS_PER_SECOND = 45;

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
		maxElapsedMs: patienceMs = DEFAULT_PATIENCE_MS,
		minTimeoutMs: lateTimeoutMs,
		requestsPerSecond = DEFAULT_REQUESTS_PER_SECOND,
		signal = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined,
	}: ClientOptions = {},
): Promise<ArgyleClient> {
	const credential = await context.getCredentials('argyleApi', itemIndex);
	const environment = resolveEnvironment(credential);
	const keySecrets = secretsOf(credential);
	const line = rateLimiterFor(`${environment.origin} ${String(credential.apiKeyId)}`, requestsPerSecond);
	const patience: RetryPolicy = { origin: environment.origin, maxElapsedMs: patienceMs, signal };

	const describe = (request: ArgyleRequest): RequestInfo => ({
		environment,
		subject: request.subject,
		secrets: [...keySecrets, ...(request.secrets ?? [])],
		isMutation: request.method !== 'GET',
	});

	/** A time-out that fits into what is left of the patience, as far as the late one allows. */
	function timeoutOf(request: ArgyleRequest): number {
		const own = request.timeoutMs ?? timeoutMs;
		return Math.max(lateTimeoutMs ?? own, Math.min(own, remainingRetryBudget(patience)));
	}

	/** Asks once, in its turn; gives what `read` makes of a 2xx answer. */
	async function attempt<T>(
		request: ArgyleRequest,
		encoding: Encoding,
		read: (answer: unknown, call: RequestInfo, own: AbortController) => Promise<T>,
	): Promise<T> {
		const startedAt = await line.acquire({ maxWaitMs: patienceMs, signal });
		const call = describe(request);
		const timed = { ...request, timeoutMs: timeoutOf(request) };
		const own = new AbortController();
		const caller = {
			context,
			credential,
			environment,
			signal: signal ? AbortSignal.any([signal, own.signal]) : own.signal,
		};
		const answer = await sendRequest(caller, timed, encoding).catch((error: unknown) => {
			throw errorFromNoResponse(error, call);
		});
		return await read(answer, call, own).catch((error: unknown) => {
			if (error instanceof ArgyleError && error.statusCode === 429) line.onThrottled(startedAt, error.retryAfterMs);
			throw error;
		});
	}

	async function repeat<T>(request: ArgyleRequest, work: (mayBeDone: boolean) => Promise<T>): Promise<T> {
		const isRepeatable = request.isIdempotent ?? ['GET', 'DELETE'].includes(request.method);
		let mayBeDone = false;
		return await retry(
			patience,
			async () => await work(mayBeDone),
			(error: ArgyleError) => {
				mayBeDone ||= error.outcomeUnknown;
				return isRepeatable || !error.outcomeUnknown;
			},
		);
	}

	async function send<T>(request: ArgyleRequest, read: (response: ArgyleResponse, call: RequestInfo) => T): Promise<T> {
		return await repeat(
			request,
			async (mayBeDone) =>
				await attempt(request, 'arraybuffer', async (answer, call) => {
					const response = toResponse(answer);
					if (response === undefined) throw errorFromNoResponse(undefined, call);
					const isGone = mayBeDone && request.method === 'DELETE' && response.statusCode === 404;
					if (!isSuccess(response) && !isGone) throw errorFromResponse(response, call);
					return read(response, call);
				}),
		);
	}

	async function receive<T>(request: ArgyleRequest, keep: (response: StreamedResponse) => Promise<T>): Promise<T> {
		return await repeat(
			request,
			async () =>
				await attempt(request, 'stream', async (answer, call, own) => {
					const response = toStreamedResponse(answer);
					if (response === undefined) throw errorFromNoResponse(undefined, call);
					return await download(response, own, call, async (whole) => {
						if (isSuccess(whole)) return await keep(whole);
						throw errorFromResponse({ ...whole, body: await readPrefix(whole.body, LONGEST_READ) }, call);
					});
				}),
		);
	}

	return {
		environment,
		send: async (request) => await send(request, (response) => response),
		json: async (request) =>
			await send(request, (response, call) => {
				const value = parseJson(response.body);
				if (value === undefined) throw errorFromUnreadableBody(response, call);
				return value;
			}),
		stream: receive,
		detailOf: (body) => readDetail(body, keySecrets),
		retry: async (work) => await retry(patience, work),
		isRetryBudgetSpent: () => remainingRetryBudget(patience) === 0,
	};
}

function secretsOf({ apiKeyId, apiKeySecret }: IDataObject): string[] {
	const pair = Buffer.from(`${String(apiKeyId)}:${String(apiKeySecret)}`).toString('base64');
	return [String(apiKeySecret), String(apiKeyId), pair];
}
