import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { Semaphore } from '../utils/concurrency';
import { jsonOf, sendRequest } from './answer';
import { type ApiKey, apiKeyOf } from './apiKey';
import { download, readPrefix } from './download';
import type { Environment } from './environment';
import { MAX_DETAIL_BYTES, readDetail } from './errorDetail';
import { errorFromNoResponse, errorFromResponse, errorFromUnreadableBody, type RequestInfo } from './errorMapper';
import { ArgyleError } from './errors';
import { outages } from './outageTracker';
import { type RateLimiter, rateLimiterFor } from './rateLimiter';
import {
	type ArgyleContext,
	type ArgyleRequest,
	type ArgyleResponse,
	isRedirect,
	isSuccess,
	type RequestScope,
	sendStreamedRequest,
	type StreamedResponse,
	type TimedRequest,
} from './request';
import { retry, type RetryPolicy, type Try } from './retry';
import { DEFAULT_TIMEOUT_MS, retryPolicyOf, type TimeLimits } from './timeLimits';
import { sendUpload } from './upload';

/** Less than the 50 a second that Argyle allows an account, so that the account's other traffic gets through. */
export const DEFAULT_REQUESTS_PER_SECOND = 45;

export interface RequestLimits {
	/** @default 45 */
	requestsPerSecond?: number;
	/** Limits how many requests are sent at a time. @default unlimited */
	semaphore?: Semaphore;
}

interface ClientOptions extends TimeLimits, RequestLimits {
	itemIndex?: number;
	/** @default the signal of the execution */
	signal?: AbortSignal;
	/** Called whenever a request is sent. */
	onSend?: () => void;
}

const UNLIMITED = new Semaphore(Infinity);

/** A single try, when its turn has come. */
interface Attempt {
	request: TimedRequest;
	/** Whether an earlier try may have been carried out. */
	outcomeUnknown: boolean;
	/** Frees the try's slot before the try has settled. */
	release: () => void;
}

/**
 * Connects a context of n8n to Argyle with the context's `argyleApi` credential. Throws ArgyleError when the
 * credential's base URL can't be used.
 */
export async function connect(context: ArgyleContext, options: ClientOptions = {}): Promise<ArgyleClient> {
	const credential = await context.getCredentials('argyleApi', options.itemIndex ?? 0);
	const executionSignal = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	const apiKey = apiKeyOf(context, credential);
	const { signal = executionSignal, isInteractive = context.getMode?.() === 'manual' } = options;
	return new ArgyleClient({ ...apiKey, context, signal }, { ...options, isInteractive });
}

export class ArgyleClient {
	private readonly policy: RetryPolicy;

	private readonly rateLimiter: RateLimiter;

	private readonly scope: ApiKey & RequestScope;

	private readonly options: ClientOptions;

	/** The least and most that the service's clock may be ahead of this machine's, according to the last response. */
	private clockOffset: { leastMs: number; mostMs: number } | undefined;

	constructor(scope: ApiKey & RequestScope, options: ClientOptions) {
		this.scope = scope;
		this.options = options;
		const { requestsPerSecond = DEFAULT_REQUESTS_PER_SECOND } = options;
		this.policy = retryPolicyOf(options, this.serviceAt(scope.environment.origin), scope.signal);
		this.rateLimiter = rateLimiterFor(scope.credentialDigest, requestsPerSecond);
	}

	get environment(): Environment {
		return this.scope.environment;
	}

	/** Equal for all clients with the same environment and API Key ID, whatever the secret. */
	get keyDigest(): string {
		return this.scope.keyDigest;
	}

	/** Equal for all clients with the same environment, API Key ID and secret. */
	get credentialDigest(): string {
		return this.scope.credentialDigest;
	}

	/**
	 * Returns the earliest time that the service's clock may show when this machine's shows `time`, both in milliseconds
	 * since 1970.
	 */
	toServiceTime(time: number): number {
		return time + (this.clockOffset?.leastMs ?? 0);
	}

	/** As `toServiceTime`, but the latest such time. Responses name whole seconds and may take long on their way. */
	toLatestServiceTime(time: number): number {
		return time + (this.clockOffset?.mostMs ?? 0);
	}

	/** Whether a response has told the service's time. Until then, it counts as equal to this machine's. */
	get isClockKnown(): boolean {
		return this.clockOffset !== undefined;
	}

	/** Aborts when the execution is stopped. */
	get signal(): AbortSignal | undefined {
		return this.scope.signal;
	}

	/** As n8n decrypted it. */
	get credential(): ICredentialDataDecryptedObject {
		return this.scope.credential;
	}

	/** Resolves with a 2xx response, or with a 404 if an earlier try may already have deleted the record. */
	async send(request: ArgyleRequest): Promise<ArgyleResponse> {
		return await this.perform(request, async (attempt) => await this.responseTo(attempt));
	}

	/** As `send`, but resolves with the JSON of the response. Fails if `isExpected` does not accept this JSON. */
	async json(request: ArgyleRequest): Promise<unknown>;
	async json<T>(request: ArgyleRequest, isExpected: (value: unknown) => value is T): Promise<T>;
	async json(request: ArgyleRequest, isExpected?: (value: unknown) => boolean): Promise<unknown> {
		return await this.perform(request, async (attempt) => {
			const response = await this.responseTo(attempt);
			const json = jsonOf(response, isExpected);
			if ('unreadable' in json) throw errorFromUnreadableBody(response, json.unreadable, this.infoOf(request));
			return json.value;
		});
	}

	/** As `send`, but `consume` gets the body while it comes in, and perhaps again after a transient failure. */
	async stream<T>(request: ArgyleRequest, consume: (response: StreamedResponse) => Promise<T>): Promise<T> {
		return await this.perform(request, async (attempt) => await this.streamTo(attempt, consume));
	}

	/** Returns the service's own words in a body, with the key hidden, or '' when there are none. */
	detailOf(body: Buffer): string {
		return readDetail(body, this.scope.keySecrets);
	}

	/** Retries work that makes several calls. The work must be idempotent as a whole. */
	async retry<T>(work: () => Promise<T>): Promise<T> {
		return await retry(this.policy, work);
	}

	/**
	 * Names a service together with the key, because the service may be away for one key only. A failure with one key must
	 * not stop tries with another.
	 */
	private serviceAt(origin: string): string {
		return `${this.scope.credentialDigest} ${origin}`;
	}

	private async perform<T>(request: ArgyleRequest, exchange: (attempt: Attempt) => Promise<T>): Promise<T> {
		const service = request.origin === undefined ? this.policy.service : this.serviceAt(request.origin);
		const policy = { ...this.policy, service };
		const isIdempotent = request.isIdempotent ?? ['GET', 'DELETE'].includes(request.method);
		return await retry(policy, async (next) => await this.tryOnce(request, policy, next, exchange), isIdempotent);
	}

	/** Waits for the semaphore before its turn. Requests that wait after their turn could later start in a burst. */
	private async tryOnce<T>(
		request: ArgyleRequest,
		{ service, signal }: RetryPolicy,
		{ outcomeUnknown, maxWaitMs, onSlot }: Try,
		exchange: (attempt: Attempt) => Promise<T>,
	): Promise<T> {
		const { semaphore = UNLIMITED, onSend } = this.options;
		const release = await semaphore.acquire();
		onSlot();
		try {
			const isToArgyle = request.origin === undefined;
			const startedAt = isToArgyle ? await this.rateLimiter.turn({ maxWaitMs, signal }) : undefined;
			onSend?.();
			const timeoutMs = request.timeoutMs ?? this.options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
			const sentAt = Date.now();
			const exchanged = exchange({ request: { ...request, timeoutMs }, outcomeUnknown, release });
			if (startedAt !== undefined) this.rateLimiter.watch(startedAt, exchanged);
			return await outages.observe(service, sentAt, exchanged);
		} finally {
			release();
		}
	}

	private async responseTo({ request, outcomeUnknown }: Attempt): Promise<ArgyleResponse> {
		const info = this.infoOf(request);
		const { upload } = request;
		const sentAt = Date.now();
		const response = await responseOrError(
			upload ? sendUpload(this.scope, request, upload, info) : sendRequest(this.scope, request),
			info,
		);
		const date = Date.parse(String(response.headers.date));
		if (!Number.isNaN(date)) this.clockOffset = { leastMs: date - Date.now(), mostMs: date + 1_000 - sentAt };
		const isAlreadyGone = outcomeUnknown && request.method === 'DELETE' && response.statusCode === 404;
		if (!isSuccess(response) && !isAlreadyGone) throw errorFromResponse(response, info);
		return response;
	}

	private async streamTo<T>(
		{ request, release }: Attempt,
		consume: (response: StreamedResponse) => Promise<T>,
	): Promise<T> {
		const info = this.infoOf(request);
		const controller = new AbortController();
		const signals = [controller.signal, ...(this.scope.signal === undefined ? [] : [this.scope.signal])];
		const scope = { ...this.scope, signal: AbortSignal.any(signals) };
		const response = await responseOrError(sendStreamedRequest(scope, request), info);
		return await download(response, controller, info, async (limited) => {
			const isAccepted = isSuccess(limited) || (request.acceptsRedirect === true && isRedirect(limited));
			if (!isAccepted) {
				throw errorFromResponse({ ...limited, body: await readPrefix(limited.body, MAX_DETAIL_BYTES) }, info);
			}
			// Once the body has ended, n8n only has to write the file. The next request need not wait for that.
			limited.body.once('end', release);
			return await consume(limited);
		});
	}

	private infoOf({ method, origin, subject, secrets = [], unclear }: ArgyleRequest): RequestInfo {
		const { environment, keySecrets } = this.scope;
		const isMutation = method !== 'GET';
		return { environment, fileHost: origin, subject, secrets: [...keySecrets, ...secrets], isMutation, unclear };
	}
}

async function responseOrError<T>(response: Promise<T | undefined>, info: RequestInfo): Promise<T> {
	const received = await response.catch((error: unknown) => {
		throw error instanceof ArgyleError ? error : errorFromNoResponse(error, info);
	});
	if (received === undefined) throw errorFromNoResponse(undefined, info);
	return received;
}
