import type { IncomingMessage, ServerResponse } from 'node:http';
import { write } from './response.mts';
import type { Fault } from './types.mts';

const fits = (fault: Fault, method: string, path: string) =>
	(fault.method === undefined || fault.method === method) &&
	(fault.path === undefined || (typeof fault.path === 'string' ? fault.path === path : fault.path.test(path)));

const cdnPage = (status: number) =>
	`<!DOCTYPE html>\n<html><head><title>api.argyle.com | ${status}: Bad gateway</title></head><body><h1>Bad gateway</h1><p>cloudflare</p></body></html>`;

/** The faults that the service was told to show, in order. */
export class Faults {
	private ordered: Array<Fault & { left: number }> = [];

	add(fault: Fault): void {
		this.ordered.push({ ...fault, left: fault.times ?? 1 });
	}

	clear(): void {
		this.ordered = [];
	}

	/** Takes a request; gives the first fault that it fits, and spends it once. */
	take(method: string, path: string): Fault | undefined {
		const fault = this.ordered.find((candidate) => candidate.left > 0 && fits(candidate, method, path));
		if (fault !== undefined) fault.left--;
		return fault;
	}
}

/**
 * Shows a fault that leaves the work undone; gives the status to be logged, or undefined when the request is to be
 * worked on after all.
 */
export function show(fault: Fault, request: IncomingMessage, response: ServerResponse): number | undefined {
	switch (fault.kind) {
		case 'status':
			write(response, {
				status: fault.status ?? 500,
				body: fault.body ?? { detail: 'Ordered fault.' },
				headers: fault.headers,
			});
			return fault.status ?? 500;
		case 'html':
			write(response, {
				status: fault.status ?? 502,
				body: cdnPage(fault.status ?? 502),
				headers: { 'Content-Type': 'text/html; charset=UTF-8', ...fault.headers },
			});
			return fault.status ?? 502;
		case 'hang':
			return 0;
		case 'drop':
			request.socket.destroy();
			return 0;
		default:
			return undefined;
	}
}
