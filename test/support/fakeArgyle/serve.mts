import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { failInstead } from './faults.mts';
import type { FakeArgyle } from './index.mts';
import type { RateLimit } from './rateLimit.mts';
import { readRequest } from './request.mts';
import { asAssumed, sendResponse, tooManyRequests } from './response.mts';
import { handleApiRequest } from './routes.mts';

interface Conditions {
	rateLimit: RateLimit;
	latencyMs: number | undefined;
	/** Ends the wait of a slow response. */
	signal: AbortSignal;
}

/** Answers a request as Argyle does, unless a fault or the rate limit is in its way, and logs it. */
export async function serve(
	argyle: FakeArgyle,
	{ rateLimit, latencyMs, signal }: Conditions,
	incoming: IncomingMessage,
	outgoing: ServerResponse,
): Promise<void> {
	const request = await readRequest(incoming, argyle.origin);
	const { method, url, body } = request;
	const at = Date.now();
	outgoing.setHeader('Date', new Date(argyle.now()).toUTCString());
	const log = (status: number) =>
		argyle.requests.push({ method, path: url.pathname, query: url.search, status, body, at });

	const fault = argyle.faults.take(method, url.pathname, body);
	const failed = fault && failInstead(fault, incoming, outgoing);
	if (failed !== undefined) return void log(failed);
	if (fault?.kind === 'slow') await wait(fault.delayMs ?? 0, undefined, { signal });
	if (latencyMs !== undefined) await wait(latencyMs);
	const response = rateLimit.allows(Date.now())
		? await handleApiRequest(argyle, request)
		: tooManyRequests(argyle.assumed);
	log(response.status);
	if (fault?.kind === 'statusAfterCommit')
		return sendResponse(outgoing, { status: fault.status ?? 502, body: fault.body, headers: fault.headers });
	if (fault?.kind === 'dropAfterCommit') incoming.socket.destroy();
	else if (fault?.kind !== 'hangAfterCommit') sendResponse(outgoing, asAssumed(response, argyle.assumed));
}
