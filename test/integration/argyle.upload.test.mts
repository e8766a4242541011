import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { Container } from '@n8n/di';
import { BinaryDataConfig, BinaryDataService } from 'n8n-core';
import type { IBinaryData, INodeExecutionData } from 'n8n-workflow';
import { SIDES } from '../support/fakeArgyle/assumed.mts';
import { fileBytes } from '../support/fakeArgyle/files.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { byId, type RunOptions, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

const binaryData = Container.get(BinaryDataConfig);
const defaultMode = binaryData.mode;
afterEach(() => {
	binaryData.mode = defaultMode;
});

/** A file in n8n's binary store; or, in memory, in the item itself. */
async function stored(size: number, fields: Partial<IBinaryData> = {}, inMemory = false) {
	const file: IBinaryData = { data: '', mimeType: 'application/pdf', fileName: 'paystub.pdf', ...fields };
	if (inMemory) return { ...file, data: Buffer.concat([...fileBytes(size)]).toString('base64') };
	const service = Container.get(BinaryDataService);
	await service.init();
	const location = { type: 'execution' as const, workflowId: 'w', executionId: randomUUID() };
	return await service.store(location, Readable.from(fileBytes(size)), file);
}

const itemWith = (data: IBinaryData): INodeExecutionData => ({ json: {}, binary: { data } });

const upload = async (data: IBinaryData, more: object = {}, options: RunOptions = {}) =>
	await node.run(
		{
			...{ resource: 'userUpload', operation: 'upload', userId: byId(node.userId()), documentType: 'paystubs' },
			...{ binaryPropertyName: 'data', ...more },
		},
		{ items: [itemWith(data)], ...options },
	);

const sent = () => node.service.requests.filter(({ method }) => method === 'POST');
const uploads = () => [...node.service.records.of('user-uploads').values()];

function digestOf(size: number): string {
	const hash = createHash('sha256');
	for (const chunk of fileBytes(size)) hash.update(chunk);
	return hash.digest('hex');
}

describe('User Upload Upload', () => {
	it.each([
		['of one byte', 1, false],
		['of one chunk', 64 * 1024, false],
		['of 20 MB', 20 * 1024 * 1024 + 7, false],
		['that n8n holds in memory', 100_000, true],
	])('sends a file %s, byte by byte, and tells its size', async (_, size, inMemory) => {
		const [item] = await upload(await stored(size, {}, inMemory));
		expect(node.service.requests).toHaveLength(1);
		const file = { name: 'paystub.pdf', type: 'application/pdf', size, sha256: digestOf(size) };
		expect(sent()[0]?.body).toEqual({ user: node.userId(), document_type: 'paystubs', upload: file });
		expect(Object.keys(sent()[0]?.body ?? {})).toEqual(['user', 'document_type', 'upload']);
		expect(item?.json).toMatchObject({ document_type: 'paystubs', file_name: 'paystub.pdf', id: uploads().at(-1)?.id });
	});

	it.each(SIDES)('puts out the record, %s', async (_, assumed) => {
		Object.assign(node.service.assumed, assumed);
		const [item] = await upload(await stored(1_000));
		expect(item?.json.account).toBe(uploads().at(-1)?.account);
		expect(node.service.accounts.get(String(item?.json.account))).toMatchObject({ user: node.userId() });
	});

	it.each([
		['Gehälter "März".pdf', 'Gehälter März.pdf'],
		['../../etc/passwd', 'passwd'],
		['two\r\nlines.pdf', 'twolines.pdf'],
		[undefined, 'document.pdf'],
	])('names the file %p to Argyle as %s', async (fileName, name) => {
		await upload(await stored(100, { fileName, fileExtension: 'pdf' }));
		expect(sent()[0]?.body).toMatchObject({ upload: { name } });
	});

	it.each(['pdf\r\nX-Evil: 1', '"', '../pdf', ''])(
		'names a file without a name and with the extension %j document',
		async (fileExtension) => {
			await upload(await stored(100, { fileName: undefined, fileExtension, mimeType: 'application/pdf\r\nX-Evil: 1' }));
			expect(sent()[0]?.body).toMatchObject({ upload: { name: 'document', type: 'application/octet-stream' } });
		},
	);

	it('takes a type as people write it, and a file by expression', async () => {
		const data = await stored(100);
		await upload(data, { documentType: 'w-2', binaryPropertyName: '={{ $binary.data }}' });
		expect(sent()[0]?.body).toMatchObject({ document_type: 'W-2' });
	});

	it.each<[object, string]>([
		[{ binaryPropertyName: 'file' }, 'Input File Field does not name a file of the item [item 0]'],
		[{ documentType: 'passport' }, 'Document Type can\'t be "passport" [item 0]'],
	])('with %p sends nothing', async (more, message) => {
		expect(await node.refusalOf(upload(await stored(100), more))).toBe(message);
	});

	it.each([
		['setup.exe', 'application/octet-stream'],
		['W2 of 2026.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
		['notes.txt', 'text/plain'],
		['Pay list', 'text/csv'],
		['Pay list', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
		['Pay list', 'text/html; charset=utf-8'],
	])('refuses %s of type %s, which is neither a PDF nor a picture', async (fileName, mimeType) => {
		const { message, description } = await failure(upload(await stored(100, { fileName, mimeType })));
		expect(message).toBe(`${fileName} is neither a PDF nor a picture [item 0]`);
		expect(description).toContain('Nothing was sent');
		expect(node.service.requests).toEqual([]);
	});

	it('takes a file of which a Code node says no type', async () => {
		const file = await stored(100, {}, true);
		Reflect.deleteProperty(file, 'mimeType');
		await upload(file);
		const name = 'paystub.pdf';
		expect(sent()[0]?.body).toMatchObject({ upload: { name, type: 'application/octet-stream', size: 100 } });
	});

	it.each([
		['scan.HEIC', 'application/octet-stream'],
		['paystub', 'application/octet-stream'],
		['paystub', 'text/plain'],
		['paystub of 11.2026', 'application/pdf'],
		['attachment.dat', 'image/jpeg'],
	])('leaves it to Argyle whether it takes %s of type %s, which may be a document', async (fileName, mimeType) => {
		await upload(await stored(100, { fileName, mimeType }));
		expect(sent()[0]?.body).toMatchObject({ upload: { type: mimeType } });
	});

	it.each([false, true])('refuses an empty file, in memory: %p', async (inMemory) => {
		const { message, description } = await failure(upload(await stored(0, {}, inMemory)));
		expect(message).toBe('The file is empty [item 0]');
		expect(description).toContain('Nothing was sent');
	});

	it('says so when n8n no longer has the file', async () => {
		const data = await stored(100);
		await Container.get(BinaryDataService).deleteMany([]);
		expect(await node.refusalOf(upload({ ...data, id: `${data.id}-gone` }))).toBe(
			"n8n's binary store no longer has the file [item 0]",
		);
	});

	it('says so when n8n loses the file before it is sent, and Retry On Fail sends it', async () => {
		const data = await stored(100);
		jest.spyOn(Container.get(BinaryDataService), 'getAsStream').mockRejectedValueOnce(new Error('File not found'));
		const options = { retryOnFail: true, executionId: 'execution-of-upload' };
		const { message, description } = await failure(upload(data, {}, options));
		expect(message).toBe("n8n's binary store no longer has the file [item 0]");
		expect(description).toContain('Nothing was sent to Argyle.');
		expect(sent()).toEqual([]);
		await upload(data, {}, options);
		expect(sent()).toHaveLength(1);
	});

	it.each([-10, 10])('a file that has %i bytes more than n8n says is not uploaded', async (more) => {
		const data = await stored(200_000);
		const service = Container.get(BinaryDataService);
		const metadata = await service.getMetadata(String(data.id));
		jest.spyOn(service, 'getMetadata').mockResolvedValue({ ...metadata, fileSize: 200_000 - more });
		const { message } = await failure(upload(data));
		expect(message).toBe("The file could not be read as a whole from n8n's binary store [item 0]");
		expect(sent().filter(({ status }) => status < 300)).toEqual([]);
	});

	it('a file that Argyle finds too large is refused in its words', async () => {
		node.service.maxUploadBytes = 1_000;
		const { description } = await failure(upload(await stored(1_001)));
		expect(description).toContain('Argyle says: The file is too large. HTTP status 413. Trace ID');
	});
});
