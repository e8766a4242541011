import type { ICredentialsDecrypted, ICredentialTestFunctions, INodeCredentialTestResult } from 'n8n-workflow';

import { listIn } from '../api/pagination';
import { jsonOf, readAnswer } from '../transport/answer';
import { keySecretsOf } from '../transport/apiKey';
import { TOO_SLOW } from '../transport/download';
import { type Environment, resolveEnvironment } from '../transport/environment';
import { errorFromNoResponse, errorFromResponse, type RequestInfo } from '../transport/errorMapper';
import { ArgyleError, asArgyleError } from '../transport/errors';
import { isSuccess } from '../transport/request';

const TIMEOUT_MS = 10_000;

interface Key {
	user: string;
	pass: string;
}

/**
 * Reads one webhook subscription, because this is the smallest request that needs the key. The answer has to be a list,
 * because other servers also answer 200, such as a proxy with a page to sign in.
 */
async function connectOnce(context: ICredentialTestFunctions, environment: Environment, key: Key): Promise<void> {
	const { user, pass } = key;
	const info: RequestInfo = { environment, subject: 'API', secrets: keySecretsOf(user, pass), isMutation: false };
	// Credential tests have only n8n's older request helper.
	const { request } = context.helpers;
	const response = await request({
		method: 'GET',
		uri: `${environment.origin}/v2/webhooks`,
		qs: { limit: 1 },
		headers: { Accept: 'application/json' },
		auth: key,
		useStream: true,
		resolveWithFullResponse: true,
		simple: false,
		followRedirect: false,
		timeout: TIMEOUT_MS,
	})
		.then(async (received: unknown) => await readAnswer(received, (body) => body.destroy(TOO_SLOW)))
		.catch((error: unknown) => {
			throw errorFromNoResponse(error, info);
		});
	if (response === undefined) throw errorFromNoResponse(undefined, info);
	if (!isSuccess(response)) throw errorFromResponse(response, info);
	if ('value' in jsonOf(response, (answer) => listIn(answer) !== undefined)) return;
	const advice =
		'Another server answered, such as a proxy with a page to sign in. Check the address, or ask who runs your network.';
	throw new ArgyleError(`There is no Argyle API at ${environment.origin}`, advice);
}

const isQuoted = (text: string) => /^(["'`“”‘’«»]).*["'`“”‘’«»]$/.test(text);

/** Returns a sentence about the likely mistake in a refused key, or undefined if nothing points to one. */
async function likelySlip(
	context: ICredentialTestFunctions,
	environment: Environment,
	{ user, pass }: Key,
): Promise<string | undefined> {
	if (isQuoted(user) || isQuoted(pass)) return 'There are quotation marks around it: enter it without them.';
	const isSwapped = await connectOnce(context, environment, { user: pass, pass: user }).then(
		() => true,
		() => false,
	);
	return isSwapped ? 'API Key ID and API Key Secret are exchanged: enter each in the other field.' : undefined;
}

/**
 * Puts an error into words for the credential's screen. The test asks for no single record, so a 404 means a wrong
 * address.
 */
async function explained(
	context: ICredentialTestFunctions,
	environment: Environment,
	key: Key,
	error: ArgyleError,
): Promise<ArgyleError> {
	const { message, description, details } = error;
	if (details.statusCode === 404) {
		const advice = 'Base URL has to lead to Argyle: check host and port, or ask who runs that server.';
		return new ArgyleError(`There is no Argyle API at ${environment.origin}`, advice, details);
	}
	const slip = details.statusCode === 401 ? await likelySlip(context, environment, key) : undefined;
	return slip === undefined ? error : new ArgyleError(message, `${slip} ${description}`, details);
}

async function test(context: ICredentialTestFunctions, { data = {} }: ICredentialsDecrypted): Promise<string> {
	const environment = resolveEnvironment(data);
	const key = { user: String(data.apiKeyId).trim(), pass: String(data.apiKeySecret).trim() };
	await connectOnce(context, environment, key).catch(async (error: unknown) => {
		throw await explained(context, environment, key, asArgyleError(error));
	});
	return environment.label;
}

/**
 * Tells apart a wrong key, a key of the other environment and an unreachable service, and names a likely typing
 * mistake. This is a function, because n8n's declarative test sees only the status, which is 401 for every wrong key.
 */
export async function testArgyleApi(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		return { status: 'OK', message: `Connected to Argyle (${await test(this, credential)})` };
	} catch (caught) {
		return { status: 'Error', message: asArgyleError(caught).fullMessage };
	}
}
