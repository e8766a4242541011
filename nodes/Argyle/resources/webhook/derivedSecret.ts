import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

import { deriveSecret } from '../../api/delivery';
import { refused } from '../../transport/errors';

export const secretField = (description: string): INodeProperties => ({
	displayName: 'Secret',
	name: 'secret',
	type: 'string',
	typeOptions: { password: true },
	default: '',
	description,
});

/**
 * Returns the part of a URL that says where a delivery arrives, in one spelling. For n8n, a path with a slash at its
 * end is the same as one without. n8n also gives a workflow the URL without the query.
 */
function receiverOf(url: string): string {
	const { origin, pathname } = new URL(url);
	return `${origin}${pathname.replace(/(?<!\/)\/+$/, '')}`;
}

/** Returns the secret of a subscription that Create has made for `url`. This has to be a web address. */
export function derivedSecret(credential: ICredentialDataDecryptedObject, url: string): string {
	return deriveSecret(credential, receiverOf(url));
}

/**
 * Returns the secret that was entered, or undefined if the field is empty. An expression that gives no text is refused.
 * So is a text of blanks, because everybody could sign with that.
 */
export function readSecret(value: unknown): string | undefined {
	if (value === '') return undefined;
	if (typeof value === 'string' && value.trim() !== '') return value;
	throw refused(
		'Secret is no text',
		'Its expression gives nothing, or something other than text. Correct it, or empty the field.',
	);
}
