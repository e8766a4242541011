import { isDataObject } from '../utils/json';
import { parseRetryAfter } from './backoff';
import type { Environment } from './environment';
import { readDetail } from './errorDetail';
import { ArgyleError } from './errors';
import { type ArgyleResponse, traceSentence, type UnclearOutcome } from './request';

/** What an error says about the request that failed. */
export interface RequestInfo {
	environment: Environment;
	/** The origin of the host that has the file, if that is not Argyle. */
	fileHost?: string;
	/** Such as "webhook subscription 1234", for the message of a 404. */
	subject: string;
	/** Values that must not appear in the error: the key and, where there is one, the subscription's secret. */
	secrets: string[];
	isMutation: boolean;
	unclear?: UnclearOutcome;
}

/** Matches the subject of a request that names no record. */
const HAS_NO_ID = /^(list of|address) /;

interface Explanation {
	message: string;
	advice: string;
}

/** Why the JSON of a success can't be used. */
export interface UnreadableBody extends Explanation {
	/** Whether the cause may pass by itself. */
	isTransient: boolean;
}

export const TOO_MANY_REQUESTS: Explanation = {
	message: 'Argyle received too many requests at once',
	advice: 'The limit is 50 requests a second for the whole Argyle account. Wait a moment and run the workflow again.',
};

function explainUnclear({ what, check }: UnclearOutcome): Explanation {
	return {
		message: `It is not known whether ${what}`,
		advice: `Argyle gave no clear answer. It may have been done, so it was not sent a second time. Check with ${check} before you run this again.`,
	};
}

const WRONG_ENVIRONMENT = /environment/i;

/** A 408 comes from a proxy, never from Argyle. It means that something took too long. */
const isAway = (status: number) => status === 408 || status >= 500;

/**
 * The messages contain "Authorization". When n8n starts, it does not repeat an activation whose error has that word.
 */
function explain401(detail: string, { label, origin }: Environment): Explanation {
	if (WRONG_ENVIRONMENT.test(detail)) {
		const other = label === 'Sandbox' ? 'Production' : 'Sandbox';
		return {
			message: 'Authorization failed: this Argyle API key belongs to the other environment',
			advice:
				label === 'Custom Base URL'
					? `${origin} does not lead to the key's environment. Change Base URL in the credential, or enter another key.`
					: `The credential is set to ${label}. Set its Environment to ${other}, or enter a key made for ${label}.`,
		};
	}
	return {
		message: 'Authorization failed: Argyle does not know this API key',
		advice:
			'Check API Key ID and API Key Secret in the credential. A key made in the Argyle Console with Sandbox mode on works in Sandbox only.',
	};
}

const notFetched = (fileHost: string) => `The file could not be fetched from ${fileHost}`;

/** Only a credential with a Custom Base URL shows the field Base URL. */
const adviceOnAddress = ({ label }: Environment) =>
	label === 'Custom Base URL'
		? 'Check Base URL in the credential. If that is right, the workspace may lack this product of Argyle.'
		: 'The workspace may lack this product of Argyle. Ask Argyle for it.';

function explainStatus(status: number, detail: string, call: RequestInfo): Explanation {
	if (call.fileHost !== undefined) {
		return {
			message: notFetched(call.fileHost),
			advice: 'Argyle keeps it there, under an address that may work for a short time only. Run the node again.',
		};
	}
	if (status === 401) return explain401(detail, call.environment);
	if (status === 403) {
		return {
			message: 'Argyle refused the request',
			advice:
				'The API key is not allowed to do this. Ask the owner of the Argyle workspace to allow it, or use another key.',
		};
	}
	if (status === 404) {
		return {
			message: `Argyle could not find the ${call.subject}`,
			advice: HAS_NO_ID.test(call.subject)
				? adviceOnAddress(call.environment)
				: 'The ID may belong to another kind of record, because all IDs look alike. Or the record was deleted, or is in the other environment. Check the ID.',
		};
	}
	if (status === 429) return TOO_MANY_REQUESTS;
	if (isAway(status)) {
		if (call.unclear !== undefined) return explainUnclear(call.unclear);
		return {
			message: 'Argyle is not available at the moment',
			advice: 'This usually passes by itself. Wait a few minutes and try again.',
		};
	}
	if (status < 400) {
		return {
			message: 'The Argyle API answered with a redirect, which was not followed',
			advice: 'The API key is sent to the configured address only. Check Base URL in the credential.',
		};
	}
	return {
		message: 'Argyle did not accept the request',
		advice: 'Correct the value named below and run the node again.',
	};
}

/**
 * Makes the error of a failed response. It says what happened and what to do, and gives the service's own words and its
 * trace ID.
 */
export function errorFromResponse(response: ArgyleResponse, call: RequestInfo): ArgyleError {
	const detail = readDetail(response.body, call.secrets);
	const { date, 'retry-after': retryAfter } = response.headers;
	const { message, advice } = explainStatus(response.statusCode, detail, call);
	const sentences = [
		advice,
		detail ? `${call.fileHost === undefined ? 'Argyle' : 'That host'} says: ${detail}` : '',
		`HTTP status ${response.statusCode}.${traceSentence(response)}`,
	];
	return new ArgyleError(message, sentences.filter((sentence) => sentence !== '').join(' '), {
		statusCode: response.statusCode,
		outcomeUnknown: call.isMutation && isAway(response.statusCode),
		isTransient: response.statusCode === 429 || isAway(response.statusCode),
		// The response's own date is used first, because this machine's clock may be minutes off.
		retryAfterMs: parseRetryAfter(retryAfter, Date.parse(String(date)) || Date.now()),
	});
}

/**
 * How often a request is tried if the answers are not JSON. A proxy's page may be gone the next second. If the page
 * stays, more tries are useless.
 */
const TRIES_WITHOUT_JSON = 3;

/** Makes the error of a success whose body is not what was asked for, such as the page of a proxy. */
export function errorFromUnreadableBody(
	response: ArgyleResponse,
	{ isTransient, ...explanation }: UnreadableBody,
	call: RequestInfo,
): ArgyleError {
	const { statusCode } = response;
	const details = { statusCode, outcomeUnknown: call.isMutation, isTransient, maxTries: TRIES_WITHOUT_JSON };
	if (call.unclear !== undefined) {
		const { message, advice } = explainUnclear(call.unclear);
		const description = `${advice} Argyle's answer can't be read. HTTP status ${statusCode}.${traceSentence(response)}`;
		return new ArgyleError(message, description, details);
	}
	const check = "If this goes on, check Base URL in the credential, or ask Argyle's support.";
	return new ArgyleError(explanation.message, `${explanation.advice} ${check}${traceSentence(response)}`, details);
}

/** With these codes, the request was never sent, so nothing can have been done. */
const NOT_CONNECTED = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED', 'EPROTO']);

const BAD_CERTIFICATE = 'Its certificate is not valid.';

const UNKNOWN_ISSUER =
	"Its certificate is from an issuer that n8n does not know. Behind a proxy that inspects traffic, n8n needs the proxy's certificate (NODE_EXTRA_CA_CERTS).";

/** The codes with which Node.js refuses a certificate. A retry does not help, and nothing was sent. */
const CERTIFICATE_ADVICE: Record<string, string> = {
	CERT_HAS_EXPIRED: BAD_CERTIFICATE,
	ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another host.',
	DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_ISSUER,
	SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_ISSUER,
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_ISSUER,
	UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_ISSUER,
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER,
};

const REACH_ADVICE: Record<string, string> = {
	ENOTFOUND: 'Its name could not be looked up.',
	EAI_AGAIN: 'Its name could not be looked up.',
	ECONNREFUSED: 'The connection was refused.',
	EHOSTUNREACH: 'There is no way to it from this network.',
	ENETUNREACH: 'There is no way to it from this network.',
	EPROTO: 'It does not speak https there: the port may be one for http.',
	ECONNRESET: 'The connection broke off.',
	EPIPE: 'The connection broke off.',
	ETIMEDOUT: 'It did not answer in time.',
	ECONNABORTED: 'It did not answer in time.',
	TOO_SLOW: 'Its answer came too slowly: less than 30 KiB in 30 s.',
	ERR_CANCELED: 'The execution was stopped.',
	...CERTIFICATE_ADVICE,
};

function codeOf(error: unknown, depth = 0): string {
	if (!isDataObject(error) || depth > 3) return '';
	if (error.name === 'TimeoutError') return 'ETIMEDOUT';
	const own = typeof error.code === 'string' && Object.hasOwn(REACH_ADVICE, error.code) ? error.code : '';
	return own || codeOf(error.cause, depth + 1);
}

/**
 * Makes the error of a request without a response. `error` is what n8n's request helper threw. It is not passed on,
 * because it carries the request with the Authorization header.
 */
export function errorFromNoResponse(error: unknown, call: RequestInfo): ArgyleError {
	const isBlocked = error instanceof Error && /restricted IP/i.test(error.message);
	const code = codeOf(error);
	const isBadCertificate = Object.hasOwn(CERTIFICATE_ADVICE, code);
	const why = isBlocked
		? 'This n8n blocks requests to that address (its SSRF protection).'
		: (REACH_ADVICE[code] ?? 'The connection failed.');
	const outcomeUnknown = call.isMutation && !isBlocked && !isBadCertificate && !NOT_CONNECTED.has(code);
	const details = {
		outcomeUnknown,
		isTransient: !isBlocked && !isBadCertificate && code !== 'ERR_CANCELED',
		isUnreachable: NOT_CONNECTED.has(code),
	};
	if (outcomeUnknown && call.unclear !== undefined) {
		const { message, advice } = explainUnclear(call.unclear);
		return new ArgyleError(message, `${advice} ${why}`, details);
	}
	const { origin, label } = call.environment;
	const field = label === 'Custom Base URL' ? 'Base URL' : 'Environment';
	const [message, check] =
		call.fileHost === undefined
			? [`Argyle could not be reached at ${origin}`, ` and that ${field} in the credential is right`]
			: [notFetched(call.fileHost), ''];
	return new ArgyleError(
		message,
		`${why} Check that this n8n may connect to that address${check}, then try again.`,
		details,
	);
}
