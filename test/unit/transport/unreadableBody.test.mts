import { errorFromUnreadableBody, type RequestInfo } from '../../../nodes/Argyle/transport/errorMapper';

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

describe('errorFromUnreadableBody', () => {
	const noJson = {
		message: "Argyle sent an answer that can't be read",
		advice: 'JSON was expected.',
		isTransient: true,
	};

	it('explains a success with an unreadable body and names its trace id', () => {
		const error = errorFromUnreadableBody(response(201, '<html>', { 'x-trace-id': 't1' }), noJson, call);
		expect(error).toMatchObject({
			message: "Argyle sent an answer that can't be read",
			description:
				"JSON was expected. If this goes on, check Base URL in the credential, or ask Argyle's support. Trace ID t1.",
			details: { statusCode: 201, isTransient: true, maxTries: 3 },
		});
	});

	it('sets outcomeUnknown for the unreadable body of a mutation only', () => {
		const outcomeUnknown = (isMutation: boolean) =>
			errorFromUnreadableBody(response(200, ''), noJson, { ...call, isMutation }).details.outcomeUnknown;
		expect([outcomeUnknown(true), outcomeUnknown(false)]).toEqual([true, false]);
	});
});
