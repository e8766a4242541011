import type { IncomingMessage } from 'node:http';

/**
 * Whether a request names this server as its host, and comes from no other web page. Any page in the browser can post
 * to loopback, and one that has its own name lead there can also read.
 */
export function isForOwnHost({ headers: { host = '', origin }, socket: { localPort } }: IncomingMessage): boolean {
	const isOwn = ['127.0.0.1', 'localhost'].some((name) => host === `${name}:${localPort}`);
	return isOwn && (origin === undefined || origin === `http://${host}`);
}
