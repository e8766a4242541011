import { ARGYLE_ORIGINS, type Environment, isConfidential } from './environment';
import { ArgyleError } from './errors';
import type { ArgyleRequest } from './request';

const MAX_REDIRECTS = 3;

const notFollowed = (why: string) =>
	new ArgyleError(
		"The address that Argyle gave for the file can't be used",
		`${why} The API key was sent to Argyle only. If this goes on, ask Argyle's support.`,
	);

/** Returns the complete address of a file. Argyle's documentation also shows addresses without a scheme. */
export function fileUrl(address: string, base: string): URL {
	const complete = /^([a-z][a-z\d+.-]*:\/\/|\/)/i.test(address) ? address : `https://${address}`;
	if (!URL.canParse(complete, base)) throw notFollowed('It is not a complete address.');
	return new URL(complete, base);
}

/**
 * Returns where to ask for a file. For a file on any of Argyle's hosts, that is the credential's own origin, with the
 * key. So it works behind an egress proxy too. A file anywhere else is asked for without the key.
 */
export function targetOf(url: URL, { origin }: Environment): Pick<ArgyleRequest, 'origin' | 'path'> {
	const path = `${url.pathname}${url.search}`;
	if (url.origin === origin || ARGYLE_ORIGINS.includes(url.origin)) return { path };
	const isLocal = origin.startsWith('http:');
	if (url.protocol !== 'https:' && !(isLocal && isConfidential(url))) {
		throw notFollowed(`It points to ${url.host} without encryption (https). Nothing was sent there.`);
	}
	if (url.username || url.password) throw notFollowed('It holds a user name or password. Nothing was sent there.');
	return { origin: url.origin, path };
}

/**
 * Returns the address of a redirect; `asked` are the addresses that were asked before. Throws ArgyleError when the
 * address can't be used, is one of `asked`, or is that of a fourth redirect.
 */
export function redirectedUrl(location: unknown, asked: URL[]): URL {
	if (typeof location !== 'string' || location === '')
		throw notFollowed('It leads nowhere: a redirect has no address.');
	const from = asked.at(-1);
	if (!URL.canParse(location, from?.href)) throw notFollowed('It leads to something that is not an address.');
	const url = new URL(location, from?.href);
	if (asked.some(({ href }) => href === url.href)) throw notFollowed('It leads in a circle.');
	if (asked.length > MAX_REDIRECTS)
		throw notFollowed(`It leads from one address to another, more than ${MAX_REDIRECTS} times.`);
	return url;
}
