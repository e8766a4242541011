import type { IncomingMessage, ServerResponse } from 'node:http';
import { isJson } from '../json.mts';
import { sendResponse } from './response.mts';
import type { Fault } from './types.mts';

const matches = (fault: Fault, method: string, path: string, body: unknown) =>
	(fault.method === undefined || fault.method === method) &&
	(fault.path === undefined || (typeof fault.path === 'string' ? fault.path === path : fault.path.test(path))) &&
	(fault.matches === undefined || (isJson(body) && fault.matches(body)));

const cdnPage = (status: number) =>
	`<!DOCTYPE html>\n<html><head><title>api.argyle.com | ${status}: Bad gateway</title></head>` +
	'<body><h1>Bad gateway</h1><p>cloudflare</p></body></html>';

/** The faults that are still to occur, oldest first. */
export class Faults {
	private pending: Array<Fault & { left: number; toSkip: number }> = [];

	add(fault: Fault): void {
		this.pending.push({ ...fault, left: fault.times ?? 1, toSkip: fault.skip ?? 0 });
	}

	clear(): void {
		this.pending = [];
	}

	/** Returns the oldest fault for this request, and counts it. */
	take(method: string, path: string, body: unknown): Fault | undefined {
		const fault = this.pending.find((candidate) => candidate.left > 0 && matches(candidate, method, path, body));
		if (fault === undefined) return undefined;
		if (fault.toSkip > 0) {
			fault.toSkip--;
			return undefined;
		}
		fault.left--;
		return fault;
	}
}

/**
 * Lets a fault occur instead of the request's work. Returns the status for the log, or undefined for a fault of another
 * kind, with which the request is handled after all.
 */
export function failInstead(fault: Fault, request: IncomingMessage, response: ServerResponse): number | undefined {
	switch (fault.kind) {
		case 'status': {
			const { status = 500, body = { detail: 'A fault.' }, headers } = fault;
			sendResponse(response, { status, body, headers });
			return status;
		}
		case 'html': {
			const { status = 502 } = fault;
			const headers = { 'Content-Type': 'text/html; charset=UTF-8', ...fault.headers };
			sendResponse(response, { status, body: cdnPage(status), headers });
			return status;
		}
		case 'hang':
			return 0;
		case 'trickle': {
			response.writeHead(200, { 'Content-Type': 'application/json' });
			const blanks = setInterval(() => response.write(' '), 200);
			response.once('close', () => clearInterval(blanks));
			return 0;
		}
		case 'drop':
			request.socket.destroy();
			return 0;
		default:
			return undefined;
	}
}
