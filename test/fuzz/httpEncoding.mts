import { Agent, request, validateHeaderName, validateHeaderValue } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { sign } from '../support/fakeArgyle/signedEvent.mts';
import { type Attack, HEADER } from './attacks.mts';

/** A call as it goes over a socket. */
export interface WireCall {
	kind: string;
	/** Names and values in turn; a name may come twice. */
	headers: string[];
	body: Buffer;
	/** In so many pieces, without a length; 0 for one piece with its length. */
	chunks: number;
}

/** How a call is packed. */
export interface Packing {
	contentType: string | undefined;
	/** `broken`: said to be gzip, and isn't. */
	encoding: 'none' | 'gzip' | 'broken';
	chunks: number;
}

const isText = (value: unknown) => typeof value === 'string';

function isAllowed(name: string, value: string): boolean {
	try {
		validateHeaderName(name);
		validateHeaderValue(name, value);
		return true;
	} catch {
		return false;
	}
}

/**
 * Takes an attack and how it is packed; gives it as a call over HTTP, undefined where HTTP can't carry it or makes a
 * genuine call of it: blanks around a value and upper case in a name are no part of them there.
 */
export function onWire(
	{ kind, headers, rawBody }: Attack,
	{ contentType, encoding, chunks }: Packing,
	secret: string,
): WireCall | undefined {
	if (!Buffer.isBuffer(rawBody)) return undefined;
	const fields = Object.entries(headers).flatMap(([name, value]) =>
		[value]
			.flat()
			.filter(isText)
			.map((text) => [name, text]),
	);
	if (fields.some(([name = '', value = '']) => !isAllowed(name, value))) return undefined;
	const received = fields.filter(([name]) => name?.toLowerCase() === HEADER).map(([, value]) => value);
	if (received.join(', ').trim().toLowerCase() === sign(rawBody, secret)) return undefined;
	if (encoding === 'broken' && kind === 'gzip') return undefined;
	return {
		kind,
		headers: [
			...fields.flat(),
			...(contentType === undefined ? [] : ['Content-Type', contentType]),
			...(encoding === 'none' ? [] : ['Content-Encoding', 'gzip']),
		],
		body: encoding === 'gzip' ? gzipSync(rawBody, { level: 1 }) : rawBody,
		chunks,
	};
}

/** Connections that are kept open between calls; `destroy` them at the end. */
export const keptOpen = () => new Agent({ keepAlive: true, maxSockets: 4 });

/** Makes a call; gives the status of its answer, 0 when the connection was cut instead. */
export async function send(
	origin: string,
	agent: Agent,
	{ headers, body, chunks }: WireCall,
	timeoutMs = 20_000,
): Promise<number> {
	const length = chunks === 0 ? ['Content-Length', String(body.length)] : ['Transfer-Encoding', 'chunked'];
	return await new Promise((resolve, reject) => {
		const outgoing = request(origin, {
			method: 'POST',
			agent,
			timeout: timeoutMs,
			headers: ['Host', new URL(origin).host, ...headers, ...length],
		});
		outgoing
			.on('timeout', () => reject(new Error('no answer')))
			.on('error', () => resolve(0))
			.on('response', (response) => {
				response.resume().on('end', () => resolve(response.statusCode ?? 0));
			});
		const size = Math.max(1, Math.ceil(body.length / Math.max(1, chunks)));
		for (let at = 0; at < body.length; at += size) outgoing.write(body.subarray(at, at + size));
		outgoing.end();
	});
}

/** Writes any bytes to a connection of their own; gives what came back until it was closed. */
export async function sendRaw(origin: string, bytes: Buffer): Promise<string> {
	return await new Promise((resolve) => {
		const seen: Buffer[] = [];
		const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => socket.end(bytes));
		socket
			.on('data', (chunk) => seen.push(Buffer.from(chunk)))
			.on('error', () => undefined)
			.on('close', () => resolve(Buffer.concat(seen).toString('latin1')));
	});
}
