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
 * Returns the part of a URL that says where a delivery arrives, in one spelling. n8n treats a path with a slash at its
 * end as the same, and gives a workflow the URL without the query.
 */
function receiverOf(url: string): string {
	const { origin, pathname } = new URL(url);
	return `${origin}${pathname.replace(/(?<!\/)\/+$/, '')}`;
}

/** The secret of the subscription that Create made for `url`, which has to be a web address. */
export function derivedSecret(credential: ICredentialDataDecryptedObject, url: string): string {
	return deriveSecret(credential, receiverOf(url));
}

/**
 * The secret that was entered, undefined when the field is empty. An expression that gives no text is refused, and so
 * are blanks, with which everybody could sign.
 */
export function readSecret(value: unknown): string | undefined {
	if (value === '') return undefined;
	if (typeof value === 'string' && value.trim() !== '') return value;
	throw refused(
		'Secret is no text',
		'Its expression gives nothing, or something else than text. Correct it, or empty the field.',
	);
}
