import { createHmac } from 'node:crypto';

/** Takes an event; gives its message as Argyle sends it: JSON with an indentation of two (every recorded delivery). */
export function eventBody(event: string, name: string, data: Record<string, unknown>): string {
	return JSON.stringify({ event, name, data }, null, 2);
}

/** Takes the bytes of a delivery and the subscription's secret; gives the signature: HMAC-SHA512 in lower-case hex. */
export function sign(body: string | Buffer, secret: string): string {
	return createHmac('sha512', secret).update(body).digest('hex');
}
