import {
	errorFromNoResponse,
	errorFromResponse,
	errorFromUnreadableBody,
} from '../../../nodes/Argyle/transport/errorMapper';

const call = {
	environment: { origin: 'https://api.argyle.com', label: 'Production' as const },
	subject: 'invite',
	secrets: [],
	isMutation: true,
	unclear: { what: 'the invite was sent', check: 'Invite: Get Many' },
};

const response = (statusCode: number) => ({
	statusCode,
	headers: { 'x-trace-id': 'abc123' },
	body: Buffer.from('{"detail":"Busy"}'),
});

it.each([408, 500, 502, 503, 504])(
	'a %i to what must not be repeated says what may have happened, and the trace ID',
	(status) => {
		const error = errorFromResponse(response(status), call);
		expect(error.message).toBe('It is not known whether the invite was sent');
		expect(error.description).toBe(
			'Argyle gave no clear answer. It may have been done, so it was not sent a second time. Check with Invite: Get Many before you run this again. Argyle says: Busy ' +
				`HTTP status ${status}. Trace ID abc123.`,
		);
		expect(error.details.outcomeUnknown).toBe(true);
	},
);

it.each([
	['ECONNRESET', true],
	['ETIMEDOUT', true],
	['ECONNREFUSED', false],
	['ENOTFOUND', false],
	['EAI_AGAIN', false],
	['CERT_HAS_EXPIRED', false],
])('after %s it is unclear: %s', (code, isUnclear) => {
	const error = errorFromNoResponse(Object.assign(new Error('x'), { code }), call);
	expect(error.details.outcomeUnknown).toBe(isUnclear);
	expect(error.message.includes('not known')).toBe(isUnclear);
});

it('a lost or unreadable answer to what must not be repeated says what may have happened, and how to check', () => {
	const advice =
		'Argyle gave no clear answer. It may have been done, so it was not sent a second time. Check with Invite: Get Many before you run this again.';
	expect(errorFromNoResponse({ code: 'ECONNRESET' }, call).description).toBe(`${advice} The connection broke off.`);
	const unreadable = { message: 'It is too large', advice: 'It was not read.', isTransient: false };
	expect(errorFromUnreadableBody(response(200), unreadable, call)).toMatchObject({
		message: 'It is not known whether the invite was sent',
		description: `${advice} Argyle's answer can't be read. HTTP status 200. Trace ID abc123.`,
		details: { outcomeUnknown: true },
	});
});
