import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

import { refused } from '../transport/errors';
import { isDataObject, parseJson } from '../utils/json';
import { isUuid } from '../utils/ids';
import { ALL_EVENTS, eventNames } from './events';

/** What Argyle delivers: the event's name, the subscription's name, and the IDs or records of the event. */
export type EventMessage = IDataObject & { event: string; data: IDataObject };

export const FORM_SUBMITTED = 'user_forms.submitted';

/** In lower case, as Node names headers (Argyle's webhook object page; on every recorded delivery). */
export const SIGNATURE_HEADER = 'x-argyle-signature';

const DIGEST_BYTES = 64;

const SECRET_BYTES = 32;

/** Node.js refuses a longer `info` for HKDF. */
const MAX_INFO_BYTES = 1_024;

/** The text that an expression gives when it finds nothing. */
const NO_SECRET = /^(undefined|null)?$/;

/** The addresses from which Argyle sends, in both environments (Argyle's webhook guide and console page). */
const ARGYLE_ADDRESSES = new Set(['34.27.251.226', '34.122.50.253', '35.188.163.115', '35.226.53.251']);

/**
 * Returns the secret of the subscription that sends to `url`, in hex. It is derived (HKDF, RFC 5869) and not stored. So
 * only Argyle and who has the credential know it, and it can't be lost, planted or outdated. Argyle shows it to each
 * key of the account. Throws ArgyleError when the credential has no secret, for example because its expression finds
 * none. Otherwise everybody could derive the same secret from nothing.
 */
export const deriveSecret = (credential: ICredentialDataDecryptedObject, url: string): string =>
	derive(credential, `n8n-nodes-argyle webhook ${url}`);

/** As `deriveSecret`, for what n8n's processes say to each other at `url`. This secret never leaves n8n. */
export const deriveInnerSecret = (credential: ICredentialDataDecryptedObject, url: string): string =>
	derive(credential, `n8n-nodes-argyle question ${url}`);

function derive({ apiKeySecret }: ICredentialDataDecryptedObject, purpose: string): string {
	if (typeof apiKeySecret !== 'string' || NO_SECRET.test(apiKeySecret.trim())) {
		throw refused(
			'Authorization failed: the Argyle credential has no API Key Secret',
			'Enter it in the credential. If it is an expression, correct it so that it returns the secret.',
		);
	}
	const info = Buffer.from(purpose);
	const bounded = info.length > MAX_INFO_BYTES ? createHash('sha256').update(info).digest() : info;
	const derived = hkdfSync('sha256', apiKeySecret.trim(), '', bounded, SECRET_BYTES);
	return Buffer.from(derived).toString('hex');
}

const digestOf = (secret: string, bytes: Buffer | string) => createHmac('sha512', secret).update(bytes).digest();

/** Returns the signature that Argyle gives to a delivery with these bytes. */
export function signatureOf(secret: string, body: string): string {
	return digestOf(secret, body).toString('hex');
}

/** The digest in a signature header, undefined unless it is exactly one HMAC-SHA512 in hex. */
export function parseSignature(header: unknown): Buffer | undefined {
	if (typeof header !== 'string' || header.length !== 2 * DIGEST_BYTES) return undefined;
	// Node stops decoding at the first character that is not hex.
	const digest = Buffer.from(header, 'hex');
	return digest.length === DIGEST_BYTES ? digest : undefined;
}

/**
 * Returns the secret that signed exactly these bytes. Only the raw body can be verified: Argyle indents its JSON, so to
 * parse and encode it again would change the bytes.
 */
export function signingSecret(secrets: readonly string[], rawBody: Buffer, digest: Buffer): string | undefined {
	return secrets.find((secret) => timingSafeEqual(digestOf(secret, rawBody), digest));
}

/** The event message in the body of a delivery, undefined when the body holds no such message. Never throws. */
export function parseEventMessage(rawBody: Buffer): EventMessage | undefined {
	const message = parseJson(rawBody);
	return isEventMessage(message) ? message : undefined;
}

export function isEventMessage(message: unknown): message is EventMessage {
	return (
		isDataObject(message) && typeof message.event === 'string' && message.event !== '' && isDataObject(message.data)
	);
}

/** `events` are the trigger's, as saved or as its expression gives them. */
export function isSubscribed(event: string, events: unknown): boolean {
	const names = eventNames(events);
	return names.includes(event) || names.includes(ALL_EVENTS);
}

/** The ID of the form that the event message reports, undefined for other events. */
export function submittedForm({ event, data }: IDataObject): string | undefined {
	if (event !== FORM_SUBMITTED || !isDataObject(data)) return undefined;
	return isUuid(data.user_form) ? data.user_form : undefined;
}

/**
 * `address` is the caller's as n8n sees it. Node writes an IPv4 address that came in over IPv6 with `::ffff:` in front.
 */
export function isArgyleAddress(address: unknown): boolean {
	return typeof address === 'string' && ARGYLE_ADDRESSES.has(address.replace(/^::ffff:/i, ''));
}
