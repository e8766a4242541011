import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import type { Environment } from './environment';

/** Every n8n context in which this package calls Argyle. */
export type ArgyleContext = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IWebhookFunctions;

/** One call of the API. */
export interface ArgyleRequest {
	method: IHttpRequestMethods;
	/** From the host on, such as `/v2/webhooks`. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	/** What is wanted back; JSON unless told. */
	accept?: string;
	/** Milliseconds until one try is given up; the client's own bound unless told. */
	timeoutMs?: number;
	/**
	 * Whether making the call twice is the same as making it once: reading and deleting are, and whatever else says so.
	 * Other calls are repeated only when they surely weren't carried out.
	 */
	isIdempotent?: boolean;
	/** What the call is about, for the message of a 404. */
	subject: string;
	/** Values in the body that must appear in no error. */
	secrets?: string[];
}

/** Who asks, and what ends the asking. */
export interface RequestScope {
	context: ArgyleContext;
	/** The fields of the `argyleApi` credential, as n8n decrypted them. */
	credential: ICredentialDataDecryptedObject;
	environment: Environment;
	signal: AbortSignal | undefined;
}

/** How the answer comes: whole, or as a stream. */
export type Encoding = 'arraybuffer' | 'stream';

/**
 * Asks once, authenticated by the credential, at the credential's own origin, and follows no redirect. Gives what n8n's
 * request helper makes of the answer, whatever its status; rejects with what the helper throws when none comes.
 */
export async function sendRequest(
	{ context, credential, environment, signal }: RequestScope,
	request: ArgyleRequest,
	encoding: Encoding,
): Promise<unknown> {
	// n8n's helper ends a request with the execution of its context, whatever signal it is given.
	const asker: ArgyleContext = Object.create(context, { getExecutionCancelSignal: { value: () => signal } });
	const options: IHttpRequestOptions = {
		method: request.method,
		url: `${environment.origin}${request.path}`,
		qs: request.query,
		body: request.body,
		// A stream is kept as it comes, and has to be as long as its head says.
		headers: {
			Accept: request.accept ?? 'application/json',
			...(encoding === 'stream' ? { 'Accept-Encoding': 'identity' } : {}),
		},
		// Bytes in every case, so that an error is read in one way, also where a PDF was asked for.
		encoding,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: request.timeoutMs,
		abortSignal: signal,
	};
	// Else n8n would fetch and decrypt the credential once more for each request.
	const credentialsDecrypted = { id: '', name: '', type: 'argyleApi', data: credential };
	return await context.helpers.httpRequestWithAuthentication.call(asker, 'argyleApi', options, {
		credentialsDecrypted,
	});
}
