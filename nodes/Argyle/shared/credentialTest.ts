import type { ICredentialsDecrypted, ICredentialTestFunctions, INodeCredentialTestResult } from 'n8n-workflow';

import { resolveEnvironment } from '../transport/environment';
import { errorFromNoResponse, errorFromResponse, type RequestInfo } from '../transport/errorMapper';
import { asArgyleError } from '../transport/errors';
import { isSuccess, toResponse } from '../transport/request';

const TIMEOUT_MS = 10_000;

/** Reads one webhook subscription: the smallest request that needs the key. */
async function connectOnce(context: ICredentialTestFunctions, { data = {} }: ICredentialsDecrypted): Promise<string> {
	const environment = resolveEnvironment(data);
	const user = String(data.apiKeyId);
	const pass = String(data.apiKeySecret);
	const info: RequestInfo = { environment, subject: 'API', secrets: [pass, user], isMutation: false };
	// Credential tests have only n8n's older request helper.
	const { request } = context.helpers;
	const received: unknown = await request({
		method: 'GET',
		uri: `${environment.origin}/v2/webhooks`,
		qs: { limit: 1 },
		headers: { Accept: 'application/json' },
		auth: { user, pass },
		encoding: null,
		resolveWithFullResponse: true,
		simple: false,
		followRedirect: false,
		timeout: TIMEOUT_MS,
	}).catch((error: unknown) => {
		throw errorFromNoResponse(error, info);
	});
	const response = toResponse(received);
	if (response === undefined) throw errorFromNoResponse(undefined, info);
	if (!isSuccess(response)) throw errorFromResponse(response, info);
	return environment.label;
}

/**
 * Tells a wrong key, a key of the other environment and an unreachable service apart. It is a function because n8n's
 * declarative test sees only the status, which is 401 for both keys.
 */
export async function testArgyleApi(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		return { status: 'OK', message: `Connected to Argyle (${await connectOnce(this, credential)})` };
	} catch (caught) {
		return { status: 'Error', message: asArgyleError(caught).fullMessage };
	}
}
