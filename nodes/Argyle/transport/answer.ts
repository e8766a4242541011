import type { IHttpRequestOptions } from 'n8n-workflow';

import { NOT_NEEDED } from '../utils/clock';
import { isNestedDeeper, parseJson } from '../utils/json';
import { readPrefix, TOO_SLOW, withLimits } from './download';
import { MAX_DETAIL_BYTES } from './errorDetail';
import type { UnreadableBody } from './errorMapper';
import {
	type ArgyleResponse,
	type ByteStream,
	callHelper,
	isSuccess,
	type RequestScope,
	type TimedRequest,
	toStreamedResponse,
} from './request';

export const MIB = 1024 * 1024;

/**
 * The limit that n8n itself has for one call (N8N_PAYLOAD_SIZE_MAX). A page has 200 records, so each may be ten times
 * as long as the longest known one, a paystub of 8 KiB. Even an answer of this size can take 900 MiB once it is parsed.
 */
export const MAX_ANSWER_BYTES = 16 * MIB;

/** About ten times the depth of Argyle's records. n8n itself fails at about a thousand. */
export const MAX_DEPTH = 100;

const TOO_LARGE: UnreadableBody = {
	message: `The answer that Argyle sent is larger than ${MAX_ANSWER_BYTES / MIB} MB`,
	advice: 'It was not read. If it is a list, get fewer records at a time: set Limit to less than 200.',
	isTransient: false,
};

const TOO_DEEP: UnreadableBody = {
	message: "Argyle sent an answer that can't be read",
	advice: `It is nested more than ${MAX_DEPTH} levels deep, which no record is.`,
	isTransient: false,
};

const NO_JSON: UnreadableBody = {
	message: "Argyle sent an answer that can't be read",
	advice: 'JSON was expected.',
	isTransient: true,
};

/**
 * Sends a request once and reads the answer. If the answer is an error, it reads only the beginning. n8n's helper takes
 * no limit and unpacks compressed bodies, so a megabyte can become a gigabyte. The body is therefore read while it
 * comes in, and not to its end if it is too large. Resolves with undefined if n8n's helper returned no response.
 * Rejects with what the helper throws, and also when the time-out is over or the body comes too slowly.
 */
export async function sendRequest(
	scope: RequestScope,
	request: TimedRequest,
	more: Partial<IHttpRequestOptions> = {},
): Promise<ArgyleResponse | undefined> {
	// The time-out of n8n's helper covers only the head of the answer.
	const timeout = AbortSignal.timeout(request.timeoutMs);
	const reading = new AbortController();
	const signals = [timeout, reading.signal, ...(scope.signal === undefined ? [] : [scope.signal])];
	const options = { encoding: 'stream' as const, ...more };
	return await callHelper({ ...scope, signal: AbortSignal.any(signals) }, request, options)
		.then(async (received) => await readAnswer(received, () => reading.abort(TOO_SLOW)))
		.catch((error: unknown) => {
			const isTimedOut = timeout.aborted && scope.signal?.aborted !== true;
			throw reading.signal.aborted ? reading.signal.reason : isTimedOut ? timeout.reason : error;
		})
		.finally(() => reading.abort(NOT_NEEDED));
}

/**
 * Reads the body of a streamed response that n8n's request helper returned: up to the size limit, and of an error only
 * the beginning. If the body comes too slowly, it calls `onSlow`, which must end the body. Resolves with undefined if
 * `received` is not such a response.
 */
export async function readAnswer(
	received: unknown,
	onSlow: (body: ByteStream) => void,
): Promise<ArgyleResponse | undefined> {
	const response = toStreamedResponse(received);
	if (response === undefined) return undefined;
	const { body: source } = response;
	// Without a listener, Node ends the process when a stream fails while nobody reads it. Whoever reads the body still
	// gets the error.
	source.on('error', () => undefined);
	const body = withLimits(source, Infinity, () => onSlow(source)).on('error', () => undefined);
	const limit = isSuccess(response) ? MAX_ANSWER_BYTES + 1 : MAX_DETAIL_BYTES;
	return { ...response, body: await readPrefix(body, limit).finally(() => body.destroy()) };
}

/**
 * Returns the JSON of a success, or the reason why the body can't be used. For example, `isExpected` may not accept the
 * JSON.
 */
export function jsonOf(
	{ body }: ArgyleResponse,
	isExpected: (value: unknown) => boolean = () => true,
): { value: unknown } | { unreadable: UnreadableBody } {
	if (body.length > MAX_ANSWER_BYTES) return { unreadable: TOO_LARGE };
	const value = parseJson(body);
	if (value === undefined || !isExpected(value)) return { unreadable: NO_JSON };
	return isNestedDeeper(value, MAX_DEPTH) ? { unreadable: TOO_DEEP } : { value };
}
