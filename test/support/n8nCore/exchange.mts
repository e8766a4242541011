import express, { type Request, type Response } from 'express';

/** An incoming call as n8n hands it to a trigger: header names in lower case, the bytes beside. */
export interface HandedCall {
	headers: Record<string, unknown>;
	rawBody: unknown;
	ip?: string;
}

/** What a trigger did with the response. */
export interface Answered {
	/** 200 unless the trigger set another. */
	status: number;
	/** Everything that was sent; more than one is a mistake. */
	sent: unknown[];
}

/**
 * Takes a call; gives Express's request and response for it without a socket, and what is written into the response.
 * For many calls at once; `startReceiver` is the real thing.
 */
export function createExchange({ headers, rawBody, ip = '127.0.0.1' }: HandedCall): {
	request: Request;
	response: Response;
	answered: Answered;
} {
	const answered: Answered = { status: 200, sent: [] };
	const values = { method: 'POST', headers, rawBody, ip, body: undefined, params: {}, query: {} };
	const request: Request = Object.create(
		express.request,
		Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value, enumerable: true }])),
	);
	const response: Response = Object.create(express.response);
	const send = (value?: unknown) => {
		answered.sent.push(value);
		return response;
	};
	response.status = (code) => {
		answered.status = code;
		return response;
	};
	response.json = response.send = response.end = send;
	return { request, response, answered };
}
