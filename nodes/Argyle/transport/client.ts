import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { createHash } from 'node:crypto';

import { Semaphore } from '../utils/concurrency';
import { parseJson } from '../utils/json';
import { download, readPrefix } from './download';
import { type Environment, resolveEnvironment } from './environment';
import { MAX_DETAIL_BYTES, readDetail } from './errorDetail';
import { errorFromNoResponse, errorFromResponse, errorFromUnreadableBody, type RequestInfo } from './errorMapper';
import { type RateLimiter, rateLimiterFor } from './rateLimiter';
import {
	type ArgyleContext,
	type ArgyleRequest,
	type ArgyleResponse,
	isSuccess,
	type RequestScope,
	sendRequest,
	sendStreamedRequest,
	type StreamedResponse,
} from './request';
import { remainingRetryBudget, retry, type RetryPolicy } from './retry';

/** Under the 50 a second that Argyle allows an account, so that its other traffic gets through. */
export const DEFAULT_REQUESTS_PER_SECOND = 45;

/** Long enough for a slow response, short enough that a hanging one does not block an execution. */
const DEFAULT_TIMEOUT_MS = 30_000;

/** A minute outlasts a restart at Argyle; longer would only hide an outage. */
const DEFAULT_MAX_ELAPSED_MS = 60_000;

interface ClientOptions {
	itemIndex?: number;
	/** For each try. @default 30 s */
	timeoutMs?: number;
	/** For how long a service that is away, or too busy, is retried. @default 60 s */
	maxElapsedMs?: number;
	/** Lower bound for the time-out once the retry budget is nearly spent. @default timeoutMs */
	minTimeoutMs?: number;
	/** @default 45 */
	requestsPerSecond?: number;
	/** Limits how many requests are sent at a time. @default unlimited */
	semaphore?: Semaphore;
	/** @default the signal of the execution */
	signal?: AbortSignal;
}

const UNLIMITED = new Semaphore(Infinity);

/** What a single try needs to know. */
interface Attempt {
	/** Whether an earlier try may have been carried out. */
	outcomeUnknown: boolean;
	/** Frees the try's slot before it has settled. */
	release: () => void;
}

/**
 * Connects a context of n8n to Argyle with the context's `argyleApi` credential. Throws ArgyleError when the
 * credential's base URL can't be used.
 */
export async function connect(context: ArgyleContext, options: ClientOptions = {}): Promise<ArgyleClient> {
	const credential = await context.getCredentials('argyleApi', options.itemIndex ?? 0);
	const environment = resolveEnvironment(credential);
	const executionSignal = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	return new ArgyleClient({ context, credential, environment, signal: options.signal ?? executionSignal }, options);
}

/** The Argyle API as one credential sees it. Every method throws ArgyleError. */
export class ArgyleClient {
	readonly environment: Environment;

	/** A digest of the environment and the API key's ID: equal for everything that uses the same key. */
	readonly account: string;

	/** As n8n decrypted it. */
	readonly credential: ICredentialDataDecryptedObject;

	private readonly policy: RetryPolicy;

	private readonly rateLimiter: RateLimiter;

	private readonly keySecrets: string[];

	private readonly scope: RequestScope;

	private readonly options: ClientOptions;

	constructor(scope: RequestScope, options: ClientOptions) {
		this.scope = scope;
		this.options = options;
		const { environment, credential, signal } = scope;
		const { maxElapsedMs = DEFAULT_MAX_ELAPSED_MS, requestsPerSecond = DEFAULT_REQUESTS_PER_SECOND } = options;
		const [id, secret] = [String(credential.apiKeyId), String(credential.apiKeySecret)];
		this.environment = environment;
		this.credential = credential;
		this.policy = { origin: environment.origin, maxElapsedMs, signal };
		this.account = createHash('sha256').update(`${environment.origin} ${id}`).digest('hex').slice(0, 16);
		this.rateLimiter = rateLimiterFor(this.account, requestsPerSecond);
		this.keySecrets = [secret, id, Buffer.from(`${id}:${secret}`).toString('base64')];
	}

	/** Resolves with a 2xx response. A deletion whose retry finds nothing is a success. */
	async send(request: ArgyleRequest): Promise<ArgyleResponse> {
		return await this.perform(request, async (attempt) => await this.sendOnce(request, attempt));
	}

	/** As `send`, with the JSON of the response. */
	async json(request: ArgyleRequest): Promise<unknown> {
		return await this.perform(request, async (attempt) => {
			const response = await this.sendOnce(request, attempt);
			const value = parseJson(response.body);
			if (value === undefined) throw errorFromUnreadableBody(response, this.infoOf(request));
			return value;
		});
	}

	/** As `send`, with the body while it comes in. `consume` may be called again after a transient failure. */
	async stream<T>(request: ArgyleRequest, consume: (response: StreamedResponse) => Promise<T>): Promise<T> {
		return await this.perform(request, async (attempt) => await this.streamOnce(request, attempt, consume));
	}

	/** The service's own words in a response body, without the key; '' when there are none. */
	detailOf(body: Buffer): string {
		return readDetail(body, this.keySecrets);
	}

	/** Retries work of several calls, which must be idempotent as a whole. */
	async retry<T>(work: () => Promise<T>): Promise<T> {
		return await retry(this.policy, work);
	}

	/** Whether an outage of the service has already used up the time for retries. */
	isRetryBudgetSpent(): boolean {
		return remainingRetryBudget(this.policy) === 0;
	}

	/** Each try takes a slot before its turn: requests with a turn but no slot would later start in a burst. */
	private async perform<T>(request: ArgyleRequest, send: (attempt: Attempt) => Promise<T>): Promise<T> {
		const { maxElapsedMs: maxWaitMs, signal } = this.policy;
		const { semaphore = UNLIMITED } = this.options;
		const sendInTurn = async (attempt: Attempt) =>
			await this.rateLimiter.run({ maxWaitMs, signal }, async () => await send(attempt));
		const isIdempotent = request.isIdempotent ?? ['GET', 'DELETE'].includes(request.method);
		return await retry(
			this.policy,
			async (outcomeUnknown) => await semaphore.run(async (release) => await sendInTurn({ outcomeUnknown, release })),
			isIdempotent,
		);
	}

	private async sendOnce(request: ArgyleRequest, { outcomeUnknown }: Attempt): Promise<ArgyleResponse> {
		const info = this.infoOf(request);
		const response = await responseOrError(sendRequest(this.scope, this.withTimeout(request)), info);
		const isAlreadyGone = outcomeUnknown && request.method === 'DELETE' && response.statusCode === 404;
		if (!isSuccess(response) && !isAlreadyGone) throw errorFromResponse(response, info);
		return response;
	}

	private async streamOnce<T>(
		request: ArgyleRequest,
		{ release }: Attempt,
		consume: (response: StreamedResponse) => Promise<T>,
	): Promise<T> {
		const info = this.infoOf(request);
		const controller = new AbortController();
		const signals = [controller.signal, ...(this.scope.signal === undefined ? [] : [this.scope.signal])];
		const scope = { ...this.scope, signal: AbortSignal.any(signals) };
		const response = await responseOrError(sendStreamedRequest(scope, this.withTimeout(request)), info);
		return await download(response, controller, info, async (limited) => {
			if (!isSuccess(limited)) {
				throw errorFromResponse({ ...limited, body: await readPrefix(limited.body, MAX_DETAIL_BYTES) }, info);
			}
			// What follows is n8n's writing, which must not keep the next request waiting.
			limited.body.once('end', release);
			return await consume(limited);
		});
	}

	private withTimeout(request: ArgyleRequest): ArgyleRequest {
		const { timeoutMs: ownDefault = DEFAULT_TIMEOUT_MS, minTimeoutMs } = this.options;
		const { timeoutMs = ownDefault } = request;
		if (minTimeoutMs === undefined) return { ...request, timeoutMs };
		return { ...request, timeoutMs: Math.max(minTimeoutMs, Math.min(timeoutMs, remainingRetryBudget(this.policy))) };
	}

	private infoOf({ method, subject, secrets = [] }: ArgyleRequest): RequestInfo {
		const { environment } = this;
		return { environment, subject, secrets: [...this.keySecrets, ...secrets], isMutation: method !== 'GET' };
	}
}

async function responseOrError<T>(response: Promise<T | undefined>, info: RequestInfo): Promise<T> {
	const received = await response.catch((error: unknown) => {
		throw errorFromNoResponse(error, info);
	});
	if (received === undefined) throw errorFromNoResponse(undefined, info);
	return received;
}
