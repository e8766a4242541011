import type { ICredentialsDecrypted, ICredentialTestFunctions, INodeCredentialTestResult } from 'n8n-workflow';

import { type Environment, resolveEnvironment } from './api/environment';
import { ArgyleError } from './api/errors';
import { explainNoAnswer, explainResponse, type FailedCall } from './api/explain';
import { isJsonRecord } from './api/guards';

const TIMEOUT_MS = 10_000;

const failed = (error: ArgyleError): INodeCredentialTestResult => ({
	status: 'Error',
	message: `${error.message}. ${error.description}`,
});

function environmentOf(credential: ICredentialsDecrypted): Environment | ArgyleError {
	try {
		return resolveEnvironment(credential.data ?? {});
	} catch (error) {
		return error instanceof ArgyleError ? error : new ArgyleError('The credential can\'t be read', 'Enter it again.');
	}
}

/**
 * n8n's test of an `argyleApi` credential: asks for one webhook subscription, and tells a wrong key, a key of the other environment
 * and a service that can't be reached apart. It is a function because n8n's declarative test sees only the status, which is 401 for both keys.
 */
export async function testArgyleApi(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const environment = environmentOf(credential);
	if (environment instanceof ArgyleError) return failed(environment);
	const user = String(credential.data?.apiKeyId ?? '');
	const pass = String(credential.data?.apiKeySecret ?? '');
	const call: FailedCall = { environment, subject: 'API', secrets: [pass, user], changesSomething: false };

	// A credential test has n8n's older request helper only.
	const { request } = this.helpers;
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
	}).catch((error: unknown) => explainNoAnswer(error, call));

	if (answer instanceof ArgyleError) return failed(answer);
	if (!isJsonRecord(answer) || typeof answer.statusCode !== 'number') return failed(explainNoAnswer(undefined, call));
	const response = {
		statusCode: answer.statusCode,
		headers: isJsonRecord(answer.headers) ? { ...answer.headers } : {},
		body: Buffer.isBuffer(answer.body) ? answer.body : Buffer.alloc(0),
	};
	if (response.statusCode < 200 || response.statusCode > 299) return failed(explainResponse(response, call));
	return { status: 'OK', message: `Connected to Argyle (${environment.label})` };
}
