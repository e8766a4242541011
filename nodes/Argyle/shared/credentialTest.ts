import type { ICredentialsDecrypted, ICredentialTestFunctions, INodeCredentialTestResult } from 'n8n-workflow';

import { resolveEnvironment } from '../transport/environment';
import { asArgyleError } from '../transport/errors';
import { errorFromNoResponse, errorFromResponse, type RequestInfo } from '../transport/errorMapper';
import { isSuccess, toResponse } from '../transport/response';

const TIMEOUT_MS = 10_000;

/** Asks for one webhook subscription. Throws ArgyleError for whatever is wrong. */
async function connectOnce(context: ICredentialTestFunctions, { data = {} }: ICredentialsDecrypted): Promise<string> {
	const environment = resolveEnvironment(data);
	const user = String(data.apiKeyId);
	const pass = String(data.apiKeySecret);
	const call: RequestInfo = { environment, subject: 'API', secrets: [pass, user], isMutation: false };
	// A credential test has n8n's older request helper only.
	const { request } = context.helpers;
	const answer: unknown = await request({
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
		throw errorFromNoResponse(error, call);
	});
	const response = toResponse(answer);
	if (response === undefined) throw errorFromNoResponse(undefined, call);
	if (!isSuccess(response)) throw errorFromResponse(response, call);
	return environment.label;
}

/**
 * n8n's test of an `argyleApi` credential: tells a wrong key, a key of the other environment and a service that can't
 * be reached apart. It is a function because n8n's declarative test sees only the status, which is 401 for both keys.
 */
export async function testArgyleApi(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		return { status: 'OK', message: `Connected to Argyle (${await connectOnce(this, credential)})` };
	} catch (caught) {
		const { message, description } = asArgyleError(caught);
		return { status: 'Error', message: `${message}. ${description}` };
	}
}
