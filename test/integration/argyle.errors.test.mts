import { NodeApiError } from 'n8n-workflow';
import { until } from '../support/n8n/until.mts';
import { type FakeArgyle, startFakeArgyle } from '../support/fakeArgyle/index.mts';
import { runArgyle } from '../support/n8nCore/nodeFixture.mts';
import { failure } from '../support/n8nCore/failure.mts';
import { useFakeTime } from '../support/fakeTime.mts';
import { receiptParameters } from '../support/n8nCore/runs.mts';
import { credentialFor } from '../support/fakeArgyle/credential.mts';

let service: FakeArgyle;
let users: string[];
beforeEach(async () => {
	service = await startFakeArgyle();
	users = [...service.users.keys()];
	useFakeTime();
});
afterEach(async () => {
	jest.restoreAllMocks();
	await service.stop();
});

const generate = async (value: string, more: Record<string, unknown> = {}, credential = credentialFor(service)) =>
	await runArgyle(credential, { parameters: receiptParameters(value, more) });

describe('an error of the service', () => {
	it.each<[string, Parameters<FakeArgyle['addFault']>[0], string, string[]]>([
		[
			'a field map',
			{ kind: 'status', status: 400, body: { user: ['Must be a valid UUID.'] } },
			'Argyle did not accept the request',
			['Correct the value', 'user: Must be a valid UUID.'],
		],
		[
			'403',
			{ kind: 'status', status: 403, body: { detail: 'No.' } },
			'Argyle refused the request',
			['may not do this', 'Argyle says: No.'],
		],
		[
			'429',
			{ kind: 'status', status: 429, body: { detail: 'Too Many Requests' } },
			'Argyle received too many requests at once',
			['50 requests a second', 'Too Many Requests'],
		],
		[
			'an HTML page',
			{ kind: 'html', status: 502 },
			'Argyle is not available at the moment',
			['Wait a few minutes', 'Bad gateway', 'HTTP status 502'],
		],
		[
			'plain text',
			{ kind: 'status', status: 500, body: 'upstream error' },
			'Argyle is not available at the moment',
			['Argyle says: upstream error'],
		],
		[
			'an empty body',
			{ kind: 'status', status: 503, body: '' },
			'Argyle is not available at the moment',
			['Wait a few minutes and try again. HTTP status 503.'],
		],
		[
			'a redirect',
			{ kind: 'status', status: 302, headers: { Location: 'https://evil.example' }, body: '' },
			'The Argyle API answered with a redirect, which was not followed',
			['Base URL'],
		],
		[
			'an early answer',
			{ kind: 'status', status: 199 + 105, body: '' },
			'The Argyle API answered with a redirect, which was not followed',
			['304'],
		],
	])('is told in words: %s', async (_, fault, message, parts) => {
		service.addFault({ ...fault, times: Infinity });
		const error = await failure(generate(users[0] ?? ''));
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.message).toBe(`${message} [item 0]`);
		for (const part of parts) expect(error.description).toContain(part);
		expect(error.description).toContain('Trace ID');
		const passes = fault.kind === 'html' || [429, 500, 503].includes(fault.status ?? 0);
		expect(service.requests.length > 1).toBe(passes);
		expect(error.description?.includes('Tried')).toBe(passes);
	});

	it('tells a wrong key from a key of the other environment', async () => {
		const wrong = await failure(
			generate(users[0] ?? '', {}, { ...credentialFor(service), apiKeySecret: 'wrong-secret' }),
		);
		expect(wrong.message).toContain('does not know this API key');
		const other = await failure(
			generate(users[0] ?? '', {}, credentialFor({ origin: service.origin, key: service.otherEnvironmentKey })),
		);
		expect(other.message).toContain('belongs to the other environment');
		expect(other.description).toContain('Set its Environment to Sandbox');
		for (const error of [wrong, other])
			expect(error).toMatchObject({ httpCode: '401', message: expect.stringContaining('Authorization') });
	});

	it('leaves out a trace id that is no id', async () => {
		service.addFault({ kind: 'status', status: 400, headers: { 'X-Trace-Id': 'a b <script>' } });
		expect((await failure(generate(users[0] ?? ''))).description).not.toContain('Trace');
	});
});

describe('a service that can not be reached', () => {
	it.each<[string, (origin: string) => Promise<string> | string, string]>([
		[
			'refuses',
			async (origin) => {
				await service.stop();
				return origin;
			},
			'The connection was refused.',
		],
		['has no address', () => 'https://nowhere.invalid', 'could not be looked up'],
	])('%s', async (_, prepare, why) => {
		const origin = await prepare(service.origin);
		const error = await failure(generate(users[0] ?? '', {}, { ...credentialFor(service), baseUrl: origin }));
		expect(error.message).toBe(`Argyle could not be reached at ${origin} [item 0]`);
		expect(error.description).toContain(why);
		expect(error.description).toContain('try again');
	});

	it('breaks off', async () => {
		service.addFault({ kind: 'drop', times: Infinity });
		const error = await failure(generate(users[0] ?? ''));
		expect(error.message).toContain('could not be reached');
		expect(error.description).toContain('The connection broke off.');
		const shown = JSON.stringify(error) + JSON.stringify(error.cause ?? '') + JSON.stringify(error.context);
		for (const hidden of [service.key.secret, service.key.id, btoa(`${service.key.id}:${service.key.secret}`)])
			expect(shown).not.toContain(hidden);
	});

	it('is refused before any request when the base URL is not safe', async () => {
		const error = await failure(
			generate(users[0] ?? '', {}, { ...credentialFor(service), baseUrl: 'http://argyle.example.com' }),
		);
		expect(error.message).toBe("The Base URL of the Argyle credential can't be used [item 0]");
		expect(error.description).toContain('https://');
	});
});

describe('an execution that is stopped', () => {
	// In real time: only the stop can end it within the time that a test has.
	beforeEach(() => jest.restoreAllMocks());

	it.each<[string, Parameters<FakeArgyle['addFault']>[0]]>([
		['waits for a service that is away', { kind: 'status', status: 503, headers: { 'Retry-After': '30' } }],
		['waits for an answer', { kind: 'hang' }],
	])('ends at once while it %s', async (_, fault) => {
		service.addFault({ ...fault, times: Infinity });
		const stop = new AbortController();
		const running = failure(
			runArgyle(credentialFor(service), { parameters: receiptParameters(users[0] ?? '') }, [{ json: {} }], stop.signal),
		);
		await until('it has asked', 5_000, async () => (service.requests.length > 0 ? true : undefined));
		stop.abort();
		expect((await running).message).toMatch(/not available|could not be reached/);
	});
});

it('a key of any characters reaches the service as it is', async () => {
	service.key = { id: 'schlüssel-ключ', secret: 'g€heim "\'=}} $json' };
	expect(await generate(users[0] ?? '')).toHaveLength(1);
});
