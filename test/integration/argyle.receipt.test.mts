import { DateTime } from 'luxon';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { binaryBytes, receiptParameters, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture();

const today = () => DateTime.local({ zone: 'America/New_York' }).toFormat('yyyy-MM-dd');

const generate = async (userId: string = node.userId(), more: object = {}) =>
	await node.run(receiptParameters(userId, more));

const answerWith = (body: Buffer | string, headers: Record<string, string> = {}) =>
	node.service.addFault({
		kind: 'status',
		status: 200,
		body: Buffer.from(body),
		headers: { 'Content-Type': 'application/pdf', ...headers },
	});

describe('Generate Receipt', () => {
	it('Generate Receipt outputs the PDF byte for byte, with its name, size and type', async () => {
		const user = node.userId();
		const pdf = await node.service.receiptPdf(user);
		const [item] = await generate(user);
		const fileName = `receipt-${user}-${today()}.pdf`;
		expect(item?.json).toEqual({ user, fileName, fileSize: pdf.length, mimeType: 'application/pdf' });
		expect(item?.binary?.data).toMatchObject({
			fileName,
			fileExtension: 'pdf',
			mimeType: 'application/pdf',
		});
		expect(await binaryBytes(item?.binary?.data)).toEqual(pdf);
		expect(item?.pairedItem).toEqual({ item: 0 });
		expect(node.service.requests).toMatchObject([{ method: 'POST', path: '/v2/receipts', body: { user } }]);
	});

	it('Generate Receipt uses the chosen output field and file name', async () => {
		const [item] = await generate(node.userId(), {
			binaryPropertyName: ' receipt ',
			options: { fileName: 'sub/My receipt.pdf' },
		});
		expect(Object.keys(item?.binary ?? {})).toEqual(['receipt']);
		expect(item?.binary?.receipt?.fileName).toBe('sub-My receipt.pdf');
		expect(item?.json.fileName).toBe('sub-My receipt.pdf');
	});

	it.each([
		['My receipt', 'My receipt.pdf'],
		['Receipt of Dr. Smith', 'Receipt of Dr. Smith.pdf'],
		['={{ 2026 }}/001.PDF', '2026-001.PDF'],
	])('Generate Receipt with the File Name %s names the file %s', async (fileName, name) => {
		expect((await generate(node.userId(), { options: { fileName } }))[0]?.json.fileName).toBe(name);
	});

	it.each(['={{ $json.nothing }}', '={{ $json.nothing }}.pdf', '???', '={{ null }}'])(
		'Generate Receipt names the file as without a File Name if it is %s',
		async (fileName) => {
			const [item] = await generate(node.userId(), { options: { fileName } });
			expect(item?.json.fileName).toBe(`receipt-${node.userId()}-${today()}.pdf`);
		},
	);

	it('Generate Receipt gives each receipt a name of its own, also two of one person, and after a download that broke off', async () => {
		const users = [0, 1, 0].map((index) => node.userId(index));
		node.service.addFault({ kind: 'dropAfterCommit', path: '/v2/receipts' });
		const items = users.map((user) => ({ json: { user } }));
		const names = (await node.run(receiptParameters('={{ $json.user }}'), { items })).map(({ json }) => json.fileName);
		const [first, second] = users;
		const expected = [`${first}-${today()}`, `${second}-${today()}`, `${first}-${today()}-2`];
		expect(names).toEqual(expected.map((name) => `receipt-${name}.pdf`));
	});

	it("Generate Receipt names the file after the day in the workflow's time zone", async () => {
		const options = { settings: { timezone: 'Pacific/Kiritimati' } };
		jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 10, 30, 12));
		const [item] = await node.run(receiptParameters(node.userId()), options);
		expect(item?.json.fileName).toBe(`receipt-${node.userId()}-2026-12-01.pdf`);
	});

	it('Generate Receipt fails for no other item than the one whose File Name can not be evaluated', async () => {
		const fileName = "={{ $itemIndex === 0 ? 'soon'.toDateTime() : 'x.pdf' }}";
		const items = [{ json: {} }, { json: {} }];
		const parameters = receiptParameters(node.userId(), { options: { fileName } });
		const output = await node.run(parameters, { items, continueOnFail: true });
		expect(output.map(({ json }) => 'error' in json)).toEqual([true, false]);
	});

	it.each<[string, Buffer | string, string]>([
		['an HTML page', '<html><title>Maintenance</title></html>', 'Argyle says: Maintenance'],
		['JSON', '{"detail":"No transactions."}', 'Argyle says: No transactions.'],
		['nothing', '', 'no readable text'],
		['other bytes', Buffer.from([0, 1, 2, 3]), 'no readable text'],
		['almost a PDF', '%PDX-1.7', 'Argyle says: %PDX-1.7'],
	])('Generate Receipt refuses %s with the content type of a PDF', async (_, body, words) => {
		answerWith(body, { 'X-Trace-Id': 'trace-7' });
		const error = await failure(generate());
		expect(error.message).toBe('Argyle sent something else instead of a PDF receipt [item 0]');
		expect(error.description).toContain(words);
		expect(error.description).toContain('Trace ID trace-7.');
	});

	it('Generate Receipt hides the API key that such a response repeats', async () => {
		answerWith(`key ${node.service.key.secret}`);
		expect((await failure(generate())).description).toContain('key [hidden]');
	});
});
