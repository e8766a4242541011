import { errorFromNoResponse, errorFromResponse, type RequestInfo } from '../../../nodes/Argyle/transport/errorMapper';
import { ArgyleError, asArgyleError, undefinedWhenNotFound } from '../../../nodes/Argyle/transport/errors';

const call: RequestInfo = {
	environment: { origin: 'https://api.argyle.com', label: 'Production' },
	subject: 'user u-1',
	secrets: ['key-secret'],
	isMutation: true,
};
const answer = (statusCode: number, body: unknown, headers = {}) => ({
	statusCode,
	headers,
	body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});

describe('explainResponse', () => {
	it.each<[number, unknown, string, string]>([
		[
			400,
			{ user: ['Bad.'] },
			'Argyle did not accept the request',
			'Correct the value named below and run the node again. Argyle says: user: Bad. HTTP status 400.',
		],
		[
			401,
			{ detail: 'Invalid username/password.' },
			'Authorization failed: Argyle does not know this API key',
			'Check API Key ID and API Key Secret in the credential. A key made in the Argyle Console with Sandbox mode on works in Sandbox only. Argyle says: Invalid username/password. HTTP status 401.',
		],
		[
			401,
			{ detail: 'Invalid environment.' },
			'Authorization failed: this Argyle API key belongs to the other environment',
			'The credential is set to Production. Set its Environment to Sandbox, or enter a key made for Production. Argyle says: Invalid environment. HTTP status 401.',
		],
		[
			403,
			'',
			'Argyle refused the request',
			'The API key may not do this. Ask the owner of the Argyle workspace to allow it, or use another key. HTTP status 403.',
		],
		[
			404,
			'',
			'Argyle could not find the user u-1',
			'It may have been deleted, or belong to the other environment. Check the ID. HTTP status 404.',
		],
		[
			429,
			'',
			'Argyle received too many requests at once',
			'The limit is 50 requests a second for the whole Argyle account. Wait a moment and run the workflow again. HTTP status 429.',
		],
		[
			500,
			'',
			'Argyle is not available at the moment',
			'This usually passes by itself. Wait a few minutes and try again. HTTP status 500.',
		],
		[
			503,
			'',
			'Argyle is not available at the moment',
			'This usually passes by itself. Wait a few minutes and try again. HTTP status 503.',
		],
		[
			300,
			'',
			'The Argyle API answered with a redirect, which was not followed',
			'The API key is sent to the configured address only. Check Base URL in the credential. HTTP status 300.',
		],
		[
			399,
			'',
			'The Argyle API answered with a redirect, which was not followed',
			'The API key is sent to the configured address only. Check Base URL in the credential. HTTP status 399.',
		],
		[
			418,
			'',
			'Argyle did not accept the request',
			'Correct the value named below and run the node again. HTTP status 418.',
		],
	])('%i %j', (status, body, message, description) => {
		const error = errorFromResponse(answer(status, body), call);
		expect(error).toMatchObject({ message, description, statusCode: status });
	});

	it('names the environment to choose to someone in Sandbox', () => {
		const sandbox: RequestInfo = { ...call, environment: { origin: '', label: 'Sandbox' } };
		expect(errorFromResponse(answer(401, { detail: 'Invalid environment.' }), sandbox).description).toContain(
			'The credential is set to Sandbox. Set its Environment to Production, or enter a key made for Sandbox.',
		);
	});

	it('names the trace and hides secrets', () => {
		const error = errorFromResponse(answer(400, 'no key-secret here', { 'x-trace-id': 't1' }), call);
		expect(error.description).toMatch(/Argyle says: no \[hidden\] here HTTP status 400\. Trace ID t1\.$/);
	});

	it.each<[number, boolean, boolean]>([
		[500, true, true],
		[499, true, false],
		[500, false, false],
	])('%i with isMutation %p: may have been done %p', (status, isMutation, outcomeUnknown) => {
		expect(errorFromResponse(answer(status, ''), { ...call, isMutation }).outcomeUnknown).toBe(
			outcomeUnknown,
		);
	});
});

describe('explainNoAnswer', () => {
	it.each<[unknown, string]>([
		[{ code: 'ENOTFOUND' }, 'Its name could not be looked up.'],
		[{ code: 'EAI_AGAIN' }, 'Its name could not be looked up.'],
		[{ cause: { code: 'ECONNREFUSED' } }, 'The connection was refused.'],
		[{ code: 'SOMETHING', cause: { cause: { code: 'ECONNRESET' } } }, 'The connection broke off.'],
		[{ code: 'EPIPE' }, 'The connection broke off.'],
		[{ code: 'ETIMEDOUT' }, 'It did not answer in time.'],
		[{ code: 'ECONNABORTED' }, 'It did not answer in time.'],
		[{ code: 'ERR_CANCELED' }, 'The execution was stopped.'],
		[{ code: 'CERT_HAS_EXPIRED' }, 'Its certificate is not valid.'],
		[{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'Its certificate is not valid.'],
		[
			new Error('The request was blocked because it resolves to a restricted IP address'),
			'This n8n blocks requests to that address (its SSRF protection).',
		],
		[{ code: 7 }, 'The connection failed.'],
		[{ code: 'toString' }, 'The connection failed.'],
		[{ cause: { cause: { cause: { cause: { code: 'ECONNRESET' } } } } }, 'The connection failed.'],
		[undefined, 'The connection failed.'],
		['text', 'The connection failed.'],
	])('%p', (error, why) => {
		const explained = errorFromNoResponse(error, call);
		expect(explained.message).toBe('Argyle could not be reached at https://api.argyle.com');
		expect(explained.description).toBe(
			`${why} Check that this n8n may connect to that address and that Environment in the credential is right, then try again.`,
		);
		expect(explained.statusCode).toBeUndefined();
	});

	it('knows whether the work may have been done', () => {
		expect(errorFromNoResponse({ code: 'ECONNRESET' }, call).outcomeUnknown).toBe(true);
		expect(errorFromNoResponse({ code: 'ECONNRESET' }, { ...call, isMutation: false }).outcomeUnknown).toBe(false);
		expect(errorFromNoResponse(new Error('restricted IP'), call).outcomeUnknown).toBe(false);
	});
});

describe('ArgyleError', () => {
	it('is named, and has no facts unless given', () => {
		const error = new ArgyleError('what', 'why');
		expect(error).toMatchObject({ name: 'ArgyleError', message: 'what', description: 'why', outcomeUnknown: false });
		expect(error.statusCode).toBeUndefined();
	});

	it('undefinedWhenNotFound swallows a 404 of the service only', () => {
		expect(undefinedWhenNotFound(new ArgyleError('', '', { statusCode: 404 }))).toBeUndefined();
		const gone = new ArgyleError('', '', { statusCode: 410 });
		expect(() => undefinedWhenNotFound(gone)).toThrow(gone);
		const foreign = { statusCode: 404 };
		expect(() => undefinedWhenNotFound(foreign)).toThrow();
	});

	it('asArgyleError keeps one, and tells of anything else that it is a mistake of ours', () => {
		const error = new ArgyleError('what', 'why');
		expect(asArgyleError(error)).toBe(error);
		expect(asArgyleError(new TypeError('x is undefined')).message).toBe('Something unexpected happened');
		expect(asArgyleError(new TypeError('x is undefined')).description).toContain(
			'report this to the makers of n8n-nodes-argyle: TypeError: x is undefined',
		);
	});
});
