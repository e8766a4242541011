import { createHmac } from 'node:crypto';

/** The body of a delivery. Argyle indents it by two spaces (every recorded delivery). */
export function eventBody(event: string, name: string, data: Record<string, unknown>): string {
	return JSON.stringify({ event, name, data }, null, 2);
}

/** The signature of a delivery: HMAC-SHA512 of its bytes with the subscription's secret, in lower-case hex. */
export function sign(body: string | Buffer, secret: string): string {
	return createHmac('sha512', secret).update(body).digest('hex');
}
