import { Agent, request, validateHeaderName, validateHeaderValue } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { sign } from '../support/fakeArgyle/signedEvent.mts';
import { type ForgedDelivery, SIGNATURE_HEADER } from './signatureMutations.mts';

/** A delivery as it goes over a socket. */
export interface HttpDelivery {
	/** How it was forged, for the report of a failure. */
	kind: string;
	/** Names and values alternate, because a name may occur twice. */
	headers: string[];
	body: Buffer;
	/** How many chunks the body is sent in. 0 sends it at once, with a Content-Length. */
	chunks: number;
}

export interface Encoding {
	contentType: string | undefined;
	/** `corrupt` announces gzip and sends the plain body. */
	compression: 'none' | 'gzip' | 'corrupt';
	chunks: number;
}

const isText = (value: unknown) => typeof value === 'string';

function isValidHeader(name: string, value: string): boolean {
	try {
		validateHeaderName(name);
		validateHeaderValue(name, value);
		return true;
	} catch {
		return false;
	}
}

/**
 * Returns undefined for a delivery that HTTP can't carry, or that HTTP makes genuine: header names ignore case there,
 * and white space around a value is no part of it.
 */
export function encodeForHttp(
	{ kind, headers, rawBody }: ForgedDelivery,
	{ contentType, compression, chunks }: Encoding,
	secret: string,
): HttpDelivery | undefined {
	if (!Buffer.isBuffer(rawBody)) return undefined;
	const fields = Object.entries(headers).flatMap(([name, value]) =>
		[value]
			.flat()
			.filter(isText)
			.map((text) => [name, text]),
	);
	if (fields.some(([name = '', value = '']) => !isValidHeader(name, value))) return undefined;
	const signatures = fields.filter(([name]) => name?.toLowerCase() === SIGNATURE_HEADER).map(([, value]) => value);
	if (signatures.join(', ').trim().toLowerCase() === sign(rawBody, secret)) return undefined;
	// A body that is gzip already would be unpacked to the one that was signed.
	if (compression === 'corrupt' && kind === 'gzip') return undefined;
	return {
		kind,
		headers: [
			...fields.flat(),
			...(contentType === undefined ? [] : ['Content-Type', contentType]),
			...(compression === 'none' ? [] : ['Content-Encoding', 'gzip']),
		],
		body: compression === 'gzip' ? gzipSync(rawBody, { level: 1 }) : rawBody,
		chunks,
	};
}

/** Resolves with the status of the answer, 0 when the connection was cut instead. */
export async function sendOverHttp(origin: string, agent: Agent, delivery: HttpDelivery): Promise<number> {
	const { headers, body, chunks } = delivery;
	const length = chunks === 0 ? ['Content-Length', String(body.length)] : ['Transfer-Encoding', 'chunked'];
	return await new Promise((resolve, reject) => {
		const outgoing = request(origin, {
			method: 'POST',
			agent,
			timeout: 20_000,
			headers: ['Host', new URL(origin).host, ...headers, ...length],
		});
		outgoing
			.on('timeout', () => reject(new Error('No answer')))
			.on('error', () => resolve(0))
			.on('response', (response) => {
				response.resume().on('end', () => resolve(response.statusCode ?? 0));
			});
		const size = Math.max(1, Math.ceil(body.length / Math.max(1, chunks)));
		for (let start = 0; start < body.length; start += size) outgoing.write(body.subarray(start, start + size));
		outgoing.end();
	});
}

/** Writes the bytes to a connection of their own. Resolves with what was received until it was closed. */
export async function sendOverTcp(origin: string, bytes: Buffer): Promise<string> {
	return await new Promise((resolve) => {
		const received: Buffer[] = [];
		const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => socket.end(bytes));
		socket
			.on('data', (chunk) => received.push(Buffer.from(chunk)))
			.on('error', () => undefined)
			.on('close', () => resolve(Buffer.concat(received).toString('latin1')));
	});
}
