import express, { type Request, type Response } from 'express';

/** An incoming call as n8n passes it to a trigger: header names in lower case, the raw bytes beside them. */
export interface IncomingCall {
	headers: Record<string, unknown>;
	rawBody: unknown;
}

/** What a trigger did with the response. */
interface RecordedResponse {
	/** @default 200 */
	status: number;
	/** Everything that was sent; more than one is a mistake. */
	sent: unknown[];
}

/** Express's request and response without a socket, for many thousand calls; `WebhookReceiver` has a real server. */
export function createExchange({ headers, rawBody }: IncomingCall): {
	request: Request;
	response: Response;
	recorded: RecordedResponse;
} {
	const recorded: RecordedResponse = { status: 200, sent: [] };
	const values = { method: 'POST', headers, rawBody, ip: '127.0.0.1', body: undefined, params: {}, query: {} };
	const request: Request = Object.create(
		express.request,
		Object.fromEntries(
			Object.entries(values).map(([name, value]) => [name, { value, enumerable: true, configurable: true }]),
		),
	);
	const response: Response = Object.create(express.response);
	const send = (value?: unknown) => {
		recorded.sent.push(value);
		return response;
	};
	response.status = (code) => {
		recorded.status = code;
		return response;
	};
	response.json = response.send = response.end = send;
	return { request, response, recorded };
}
