import {
	errorFromNoResponse,
	errorFromResponse,
	errorFromUnreadableBody,
	type RequestInfo,
} from '../../../nodes/Argyle/transport/errorMapper';

const call: RequestInfo = {
	environment: { origin: 'https://api.argyle.com', label: 'Production' },
	subject: 'user u-1',
	secrets: ['key-secret'],
	isMutation: true,
};
const response = (statusCode: number, body: unknown, headers = {}) => ({
	statusCode,
	headers,
	body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});

describe('errorFromResponse', () => {
	it.each(['list of users', 'address /v2/invites'])(
		'404 asks for no ID where the request names none, and for Base URL where the credential has one: %s',
		(subject) => {
			for (const [label, advice] of [
				['Production', /^The workspace may lack this product of Argyle\./],
				['Custom Base URL', /^Check Base URL in the credential\./],
			] as const)
				expect(
					errorFromResponse(response(404, ''), { ...call, subject, environment: { ...call.environment, label } }),
				).toMatchObject({
					message: `Argyle could not find the ${subject}`,
					description: expect.stringMatching(advice),
				});
		},
	);

	it.each<[string, string, number[]]>([
		[
			'Argyle refused the request',
			'The API key is not allowed to do this. Ask the owner of the Argyle workspace to allow it, or use another key.',
			[403],
		],
		[
			'Argyle could not find the user u-1',
			'The ID may belong to another kind of record, because all IDs look alike. Or the record was deleted, or is in the other environment. Check the ID.',
			[404],
		],
		[
			'Argyle received too many requests at once',
			'The limit is 50 requests a second for the whole Argyle account. Wait a moment and run the workflow again.',
			[429],
		],
		[
			'Argyle is not available at the moment',
			'This usually passes by itself. Wait a few minutes and try again.',
			[408, 500, 503],
		],
		[
			'The Argyle API answered with a redirect, which was not followed',
			'The API key is sent to the configured address only. Check Base URL in the credential.',
			[300, 399],
		],
		['Argyle did not accept the request', 'Correct the value named below and run the node again.', [400, 418]],
	])('says "%s", and what to do: %s On HTTP %j', (message, advice, statuses) => {
		for (const statusCode of statuses)
			expect(errorFromResponse(response(statusCode, ''), call)).toMatchObject({
				...{ message, description: `${advice} HTTP status ${statusCode}.`, details: { statusCode } },
			});
	});

	const OTHER_ENVIRONMENT = 'Authorization failed: this Argyle API key belongs to the other environment';

	it.each([
		[
			'Production',
			'Invalid username/password.',
			'Authorization failed: Argyle does not know this API key',
			'Check API Key ID and API Key Secret in the credential. A key made in the Argyle Console with Sandbox mode on works in Sandbox only.',
		],
		[
			'Production',
			'Invalid environment.',
			OTHER_ENVIRONMENT,
			'The credential is set to Production. Set its Environment to Sandbox, or enter a key made for Production.',
		],
		[
			'Sandbox',
			'Invalid environment.',
			OTHER_ENVIRONMENT,
			'The credential is set to Sandbox. Set its Environment to Production, or enter a key made for Sandbox.',
		],
		[
			'Custom Base URL',
			'Invalid environment.',
			OTHER_ENVIRONMENT,
			"https://api.argyle.com does not lead to the key's environment. Change Base URL in the credential, or enter another key.",
		],
	] as const)('says of a 401 from %s with the words "%s": %s', (label, detail, message, advice) => {
		const environment = { ...call.environment, label };
		const description = `${advice} Argyle says: ${detail} HTTP status 401.`;
		expect(errorFromResponse(response(401, { detail }), { ...call, environment })).toMatchObject({
			message,
			description,
		});
	});

	it('names the trace id of the response and hides secrets in its body', () => {
		const error = errorFromResponse(response(400, 'no key-secret here', { 'x-trace-id': 't1' }), call);
		expect(error.description).toMatch(/Argyle says: no \[hidden\] here HTTP status 400\. Trace ID t1\.$/);
	});

	it('sets no outcomeUnknown where nothing was to be changed, nor where it was refused', () => {
		const isUnclear = (status: number, isMutation: boolean) =>
			errorFromResponse(response(status, ''), { ...call, isMutation }).details.outcomeUnknown;
		expect([isUnclear(500, true), isUnclear(500, false), isUnclear(499, true)]).toEqual([true, false, false]);
	});

	it.each([
		[true, [408, 429, 500]],
		[false, [302, 400, 403, 407, 409, 428, 430, 499]],
	])('sets isTransient to %p on HTTP %j', (isTransient, statuses) => {
		const given = statuses.map((status) => errorFromResponse(response(status, ''), call).details.isTransient);
		expect(given).toEqual(statuses.map(() => isTransient));
	});

	it("reads a time in Retry-After by the service's clock", () => {
		const headers = { date: 'Sat, 21 Nov 2026 10:00:00 GMT', 'retry-after': 'Sat, 21 Nov 2026 10:00:05 GMT' };
		expect(errorFromResponse(response(503, '', headers), call).details.retryAfterMs).toBe(5_000);
	});

	it('keeps the Retry-After of the response in milliseconds', () => {
		expect(errorFromResponse(response(429, '', { 'retry-after': '7' }), call).details.retryAfterMs).toBe(7_000);
	});
});

describe('errorFromNoResponse', () => {
	it.each<[unknown, string]>([
		[{ code: 'ENOTFOUND' }, 'Its name could not be looked up.'],
		[{ code: 'EAI_AGAIN' }, 'Its name could not be looked up.'],
		[{ cause: { code: 'ECONNREFUSED' } }, 'The connection was refused.'],
		[{ code: 'SOMETHING', cause: { cause: { code: 'ECONNRESET' } } }, 'The connection broke off.'],
		[{ code: 'EPIPE' }, 'The connection broke off.'],
		[{ code: 'ETIMEDOUT' }, 'It did not answer in time.'],
		[{ code: 'ECONNABORTED' }, 'It did not answer in time.'],
		[{ code: 'TOO_SLOW' }, 'Its answer came too slowly: less than 30 KiB in 30 s.'],
		[{ code: 'ERR_CANCELED' }, 'The execution was stopped.'],
		[{ code: 'CERT_HAS_EXPIRED' }, 'Its certificate is not valid.'],
		[{ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'Its certificate is for another host.'],
		...[
			'DEPTH_ZERO_SELF_SIGNED_CERT',
			'SELF_SIGNED_CERT_IN_CHAIN',
			'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
			'UNABLE_TO_GET_ISSUER_CERT',
			'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
		].map((code): [unknown, string] => [
			{ code },
			"Its certificate is from an issuer that n8n does not know. Behind a proxy that inspects traffic, n8n needs the proxy's certificate (NODE_EXTRA_CA_CERTS).",
		]),
		[{ code: 'EHOSTUNREACH' }, 'There is no way to it from this network.'],
		[{ code: 'ENETUNREACH' }, 'There is no way to it from this network.'],
		[{ code: 'EPROTO' }, 'It does not speak https there: the port may be one for http.'],
		[{ name: 'TimeoutError', code: 23 }, 'It did not answer in time.'],
		[
			new Error('The request was blocked because it resolves to a restricted IP address'),
			'This n8n blocks requests to that address (its SSRF protection).',
		],
		[{ code: 7 }, 'The connection failed.'],
		[{ code: 'toString' }, 'The connection failed.'],
		[{ cause: { cause: { cause: { code: 'ECONNRESET' } } } }, 'The connection broke off.'],
		[{ cause: { cause: { cause: { cause: { code: 'ECONNRESET' } } } } }, 'The connection failed.'],
		[undefined, 'The connection failed.'],
		['text', 'The connection failed.'],
	])('explains a request that failed with %p: %s', (error, why) => {
		const explained = errorFromNoResponse(error, call);
		expect(explained.message).toBe('Argyle could not be reached at https://api.argyle.com');
		expect(explained.description).toBe(
			`${why} Check that this n8n may connect to that address and that Environment in the credential is right, then try again.`,
		);
		expect(explained.details.statusCode).toBeUndefined();
	});

	it('advises to check Base URL where the credential has one', () => {
		const environment = { origin: 'https://proxy.example.com', label: 'Custom Base URL' } as const;
		expect(errorFromNoResponse({ code: 'EPROTO' }, { ...call, environment }).description).toContain(
			' and that Base URL in the credential is right,',
		);
	});

	it('sets isUnreachable when no connection could be made, but not when one broke off or was too slow', () => {
		const isUnreachable = (code: string) => errorFromNoResponse({ code }, call).details.isUnreachable;
		for (const code of ['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EPROTO'])
			expect(isUnreachable(code)).toBe(true);
		for (const code of ['ECONNRESET', 'ETIMEDOUT']) expect(isUnreachable(code)).toBe(false);
	});

	it('sets no outcomeUnknown where nothing was to be changed, nor where the request was blocked', () => {
		const isUnclear = (error: unknown, isMutation = true) =>
			errorFromNoResponse(error, { ...call, isMutation }).details.outcomeUnknown;
		expect(isUnclear({ code: 'ECONNRESET' }, false)).toBe(false);
		expect(isUnclear(new Error('restricted IP'))).toBe(false);
	});

	it('sets isTransient for a failed connection, but not for a stopped, distrusted or blocked one', () => {
		const isTransient = (error: unknown) => errorFromNoResponse(error, call).details.isTransient;
		for (const code of ['ENOTFOUND', 'ECONNREFUSED', 'ETIMEDOUT']) expect(isTransient({ code })).toBe(true);
		for (const code of ['ERR_CANCELED', 'CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT'])
			expect(isTransient({ code })).toBe(false);
		expect(isTransient(new Error('restricted IP'))).toBe(false);
	});
});

describe('of what must not be repeated', () => {
	const invite: RequestInfo = {
		...{ ...call, subject: 'invite', secrets: [] },
		unclear: { what: 'the invite was sent', check: 'Invite: Get Many' },
	};
	const message = 'It is not known whether the invite was sent';
	const advice =
		'Argyle gave no clear answer. It may have been done, so it was not sent a second time. Check with Invite: Get Many before you run this again.';
	const traced = (statusCode: number) => response(statusCode, { detail: 'Busy' }, { 'x-trace-id': 'abc123' });

	it.each([408, 500, 502, 503, 504])('a %i says what may have happened, and the trace ID', (status) =>
		expect(errorFromResponse(traced(status), invite)).toMatchObject({
			message,
			description: `${advice} Argyle says: Busy HTTP status ${status}. Trace ID abc123.`,
			details: { outcomeUnknown: true },
		}),
	);

	it.each([
		[true, ['ECONNRESET', 'ETIMEDOUT']],
		[false, ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CERT_HAS_EXPIRED']],
	])('it is unclear (%p) after %j', (isUnclear, codes) => {
		for (const code of codes) {
			const error = errorFromNoResponse(Object.assign(new Error('x'), { code }), invite);
			expect([code, error.details.outcomeUnknown, error.message === message]).toEqual([code, isUnclear, isUnclear]);
		}
	});

	it('a lost or unreadable answer says what may have happened, and how to check', () => {
		expect(errorFromNoResponse({ code: 'ECONNRESET' }, invite).description).toBe(`${advice} The connection broke off.`);
		const unreadable = { message: 'It is too large', advice: 'It was not read.', isTransient: false };
		expect(errorFromUnreadableBody(traced(200), unreadable, invite)).toMatchObject({
			message,
			description: `${advice} Argyle's answer can't be read. HTTP status 200. Trace ID abc123.`,
			details: { outcomeUnknown: true },
		});
	});
});
