import { randomUUID } from 'node:crypto';
import { type FakeArgyle, startFakeArgyle } from '../support/fakeArgyle/index.mts';
import { bytesOf, runArgyle } from '../support/n8nCore/nodeFixture.mts';
import { failure } from '../support/n8nCore/failure.mts';
import { receiptParameters } from '../support/n8nCore/runs.mts';
import { credentialFor } from '../support/fakeArgyle/credential.mts';

let service: FakeArgyle;
let users: string[];
beforeEach(async () => {
	service = await startFakeArgyle();
	users = [...service.users.keys()];
});
afterEach(async () => await service.stop());

const generate = async (value: string, more: Record<string, unknown> = {}, credential = credentialFor(service)) =>
	await runArgyle(credential, { parameters: receiptParameters(value, more) });

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
		const items = await runArgyle(credentialFor(service), { parameters: receiptParameters(id), continueOnFail: true }, [
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
