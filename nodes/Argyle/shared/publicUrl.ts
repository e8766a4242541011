import type { Environment } from '../transport/environment';
import { ArgyleError } from '../transport/errors';

/** Loopback, "this host", private, link-local and carrier-grade NAT addresses (RFC 6890). */
const PRIVATE_V4 =
	/^(127\.|0\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/;

/** Such addresses in IPv6, and all IPv4 addresses in the form of IPv6, as the class `URL` writes them. */
const PRIVATE_V6 = /^\[(::1?\]|f[cd]|fe[89ab]|::ffff:)/;

/** Names that only a local network knows. */
const PRIVATE_NAME = /^[^.]+$|\.(localhost|local|internal|lan|intranet|home\.arpa)$/;

const isV4 = (host: string) => /^\d+(\.\d+){3}$/.test(host);

/**
 * Returns a sentence about why Argyle can't or must not deliver to this URL, or undefined when it can. A server at a
 * custom Base URL may deliver to a private address, because nobody else can read what goes there. For a public address,
 * it must keep the rules of Production.
 */
export function unreachableReason(address: string, environment: Environment): string | undefined {
	if (!URL.canParse(address)) return 'It is not a complete address.';
	const { hostname, protocol } = new URL(address);
	const host = hostname.toLowerCase().replace(/\.$/, '');
	const isPrivate = (isV4(host) ? PRIVATE_V4 : host.startsWith('[') ? PRIVATE_V6 : PRIVATE_NAME).test(host);
	if (isPrivate) {
		return environment.label === 'Custom Base URL'
			? undefined
			: 'Only this computer or its own network can reach it, and Argyle sends over the internet.';
	}
	if (protocol !== 'https:' && environment.label !== 'Sandbox')
		return 'It is not encrypted (http), and the events carry personal data.';
	return undefined;
}

export function assertReachable(url: string, environment: Environment): void {
	const reason = unreachableReason(url, environment);
	if (reason === undefined) return;
	throw new ArgyleError(
		`Argyle can't reach this n8n at ${url}`,
		`${reason} Set Receive By to Checking for Events, which needs no public address. For other events, set N8N_WEBHOOK_URL (before n8n 2.30: WEBHOOK_URL) to n8n's public https address, or for a trial to that of a tunnel. Then restart n8n.`,
	);
}
