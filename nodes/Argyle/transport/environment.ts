import type { IDataObject } from 'n8n-workflow';

import { ArgyleError } from './errors';

/** Where the requests of a credential go. */
export interface Environment {
	/** Scheme, host and port, without a path. */
	origin: string;
	/** As the credential's screen shows it. */
	label: 'Sandbox' | 'Production' | 'Custom Base URL';
}

const SANDBOX: Environment = { origin: 'https://api-sandbox.argyle.com', label: 'Sandbox' };
const PRODUCTION: Environment = { origin: 'https://api.argyle.com', label: 'Production' };

/** Argyle's own origins. Behind an egress proxy, the links from one page of a list to the next still point to them. */
export const ARGYLE_ORIGINS = [SANDBOX.origin, PRODUCTION.origin];

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether nobody on the way can read the traffic: https, or http on a loopback host. */
export function isConfidential({ protocol, hostname }: URL): boolean {
	return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

function customEnvironment(baseUrl: unknown): Environment {
	const refused = (why: string) =>
		new ArgyleError(
			"The Base URL of the Argyle credential can't be used",
			`${why} Nothing was sent. Correct Base URL in the credential.`,
		);
	if (typeof baseUrl !== 'string' || baseUrl.trim() === '') throw refused('It is empty.');
	if (!URL.canParse(baseUrl.trim()))
		throw refused('It is not a complete address such as https://argyle-proxy.example.com.');
	const url = new URL(baseUrl.trim());
	if (!isConfidential(url))
		throw refused('It must begin with https://, because the API key travels with every request.');
	if (url.username || url.password) throw refused('It must not hold a user name or password.');
	if (url.pathname !== '/' || url.search || url.hash)
		throw refused('It must end after the host name and port, without /v2 or any other path.');
	return { origin: url.origin, label: 'Custom Base URL' };
}

/**
 * Returns the environment of a decrypted `argyleApi` credential. The origins are those of Argyle's OpenAPI file
 * (argyle-all.yaml 1.0.111). Throws ArgyleError when a custom base URL is neither https nor http on loopback, or has
 * more than an origin.
 */
export function resolveEnvironment(credential: IDataObject): Environment {
	switch (credential.environment) {
		case 'production':
			return PRODUCTION;
		case 'custom':
			return customEnvironment(credential.baseUrl);
		default:
			return SANDBOX;
	}
}

/** Whether the environment has billing, and so receipts. A custom base URL counts as Production. */
export function hasReceipts(environment: Environment): boolean {
	return environment.label !== 'Sandbox';
}
