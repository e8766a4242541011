import type { Fault } from '../support/fakeArgyle/index.mts';

/** A mistake in a node or its credential, or an error of Argyle, and the error that n8n shows for it. */
export interface ErrorCase {
	/** Part of the error's message. */
	message: string;
	/** Part of its description, which says what to do. */
	advice: string;
	parameters: object;
	/** The fields of the item that the node gets. @default none */
	input?: object;
	fault?: Fault | Fault[];
	/** Wrong fields of the credential. */
	credential?: object;
}

export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
export const HTML_PAGE = Buffer.from('<html><title>Maintenance</title></html>');

export const answers = (status: number, body?: unknown, headers?: Record<string, string>): Fault => ({
	kind: 'status',
	times: Infinity,
	status,
	body,
	headers,
});

/** n8n itself refuses to run a node with an empty required field, but not with an expression that yields one. */
export const expression = (value: unknown) => `={{ ${JSON.stringify(value)} }}`;
export const byId = (value: unknown) => ({ __rl: true, mode: 'id', value: expression(value) });
