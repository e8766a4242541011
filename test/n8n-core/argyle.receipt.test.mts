import { randomUUID } from 'node:crypto';
import { NodeApiError } from 'n8n-workflow';
import { type Service, startService } from '../service/index.mts';
import { bytesOf, runArgyle } from './execute.mts';
import { failure } from './failure.mts';
import { credentialFor } from './workflow.mts';

let service: Service;
let users: string[];
beforeEach(async () => {
	service = await startService();
	users = [...service.users.keys()];
});
afterEach(async () => await service.stop());

const parameters = (value: string, more: object = {}) =>
	JSON.parse(
		JSON.stringify({
			resource: 'receipt',
			operation: 'generate',
			userId: { __rl: true, mode: 'id', value },
			binaryPropertyName: 'data',
			options: {},
			...more,
		}),
	);
const generate = async (value: string, more: object = {}, credential = credentialFor(service)) =>
	await runArgyle(credential, { parameters: parameters(value, more) });

/** Lets the service answer a receipt with these bytes and headers. */
const answerWith = (body: Buffer | string, headers: Record<string, string> = {}) =>
	service.addFault({
		kind: 'status',
		status: 200,
		body: Buffer.from(body),
		headers: { 'Content-Type': 'application/pdf', ...headers },
	});

describe('Generate Receipt', () => {
	it('gives the PDF byte for byte, and its facts', async () => {
		const [user = ''] = users;
		const pdf = await service.receiptPdf(user);
		const [item] = await generate(user);
		expect(item?.json).toEqual({ user, fileName: 'receipt.pdf', fileSize: pdf.length, mimeType: 'application/pdf' });
		expect(item?.binary?.data).toMatchObject({
			fileName: 'receipt.pdf',
			fileExtension: 'pdf',
			mimeType: 'application/pdf',
		});
		expect(await bytesOf(item?.binary?.data)).toEqual(pdf);
		expect(item?.pairedItem).toEqual({ item: 0 });
		expect(service.requests).toMatchObject([{ method: 'POST', path: '/v2/receipts', body: { user } }]);
	});

	it('puts the file where it is wanted, under the chosen name', async () => {
		const [item] = await generate(users[0] ?? '', {
			binaryPropertyName: ' receipt ',
			options: { fileName: 'sub/My receipt.pdf' },
		});
		expect(Object.keys(item?.binary ?? {})).toEqual(['receipt']);
		expect(item?.binary?.receipt?.fileName).toBe('My receipt.pdf');
		expect(item?.json.fileName).toBe('My receipt.pdf');
	});

	it.each<[string, Record<string, string>, RegExp]>([
		[
			'filename*',
			{ 'Content-Disposition': 'attachment; filename="a.pdf"; filename*=UTF-8\'\'Quittung%20%C3%A4.pdf' },
			/^Quittung ä\.pdf$/,
		],
		['filename', { 'Content-Disposition': 'attachment; filename="../a.pdf"' }, /^a\.pdf$/],
		['the user', {}, /^receipt-[0-9a-f-]{36}\.pdf$/],
		[
			'the user when the name is nothing',
			{ 'Content-Disposition': 'attachment; filename=".."' },
			/^receipt-[0-9a-f-]{36}\.pdf$/,
		],
	])('takes the name from %s', async (_, headers, name) => {
		answerWith('%PDF-1.7 x', headers);
		expect((await generate(users[0] ?? ''))[0]?.json.fileName).toMatch(name);
	});

	it('generates three, of which the second fails, each paired with its input', async () => {
		const unknown = randomUUID();
		const id = `={{ ["${users[0]}", "${unknown}", "${users[2]}"][$itemIndex] }}`;
		const items = await runArgyle(credentialFor(service), { parameters: parameters(id), continueOnFail: true }, [
			{ json: {} },
			{ json: {} },
			{ json: {} },
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		expect(await bytesOf(items[0]?.binary?.data)).toEqual(await service.receiptPdf(users[0] ?? ''));
		expect(await bytesOf(items[2]?.binary?.data)).toEqual(await service.receiptPdf(users[2] ?? ''));
		expect(items[1]?.binary).toBeUndefined();
		expect(items[1]?.json).toEqual({
			error: `Argyle could not find the user ${unknown} [item 1]`,
			details: expect.stringContaining('Argyle says: Not found.'),
		});
	});

	it('stops before any request in Sandbox', async () => {
		const error = await failure(generate(users[0] ?? '', {}, { ...credentialFor(service), environment: 'sandbox' }));
		expect(error.message).toBe('Receipts exist only in Production [item 0]');
		expect(error.description).toContain('Choose a credential for Production');
		expect(service.requests).toHaveLength(0);
	});

	it.each([
		['', {}, 'User is missing'],
		['bob', {}, 'User is not a valid ID'],
		['0187c66e-e7e5-811c-b006-2232f00f426a', { binaryPropertyName: ' ' }, 'Put Output File in Field is empty'],
	])('checks the input before any request: %p %p', async (user, more, message) => {
		expect((await failure(generate(user, more))).message).toBe(`${message} [item 0]`);
		expect(service.requests).toHaveLength(0);
	});

	it.each<[string, Buffer | string, string]>([
		['an HTML page', '<html><title>Maintenance</title></html>', 'Argyle says: Maintenance'],
		['JSON', '{"detail":"No transactions."}', 'Argyle says: No transactions.'],
		['nothing', '', 'no readable text'],
		['other bytes', Buffer.from([0, 1, 2, 3]), 'no readable text'],
		['almost a PDF', '%PDX-1.7', 'Argyle says: %PDX-1.7'],
	])('refuses %s that calls itself a PDF', async (_, body, words) => {
		answerWith(body, { 'X-Trace-Id': 'trace-7' });
		const error = await failure(generate(users[0] ?? ''));
		expect(error.message).toBe('Argyle sent something else instead of a PDF receipt [item 0]');
		expect(error.description).toContain(words);
		expect(error.description).toContain('Trace ID trace-7.');
	});

	it('blots out the key in what such an answer says', async () => {
		answerWith(`key ${service.key.secret}`);
		expect((await failure(generate(users[0] ?? ''))).description).toContain('key [hidden]');
	});
});

describe('an error of the service', () => {
	it.each<[string, Parameters<Service['addFault']>[0], string, string[]]>([
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
		service.addFault(fault);
		const error = await failure(generate(users[0] ?? ''));
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.message).toBe(`${message} [item 0]`);
		for (const part of parts) expect(error.description).toContain(part);
		expect(error.description).toContain('Trace ID');
		expect(service.requests).toHaveLength(1);
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
		service.addFault({ kind: 'status', status: 500, headers: { 'X-Trace-Id': 'a b <script>' } });
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
		service.addFault({ kind: 'drop' });
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

it('a key of any characters reaches the service as it is', async () => {
	service.key = { id: 'schlüssel-ключ', secret: 'g€heim "\'=}} $json' };
	expect(await generate(users[0] ?? '')).toHaveLength(1);
});
