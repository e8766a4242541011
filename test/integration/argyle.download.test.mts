import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Container } from '@n8n/di';
import { BinaryDataConfig, BinaryDataService } from 'n8n-core';
import type { INodeExecutionData } from 'n8n-workflow';
import { paceClock } from '../../nodes/Argyle/utils/clock';
import { apiKeyOf } from '../../nodes/Argyle/transport/apiKey';
import { outages } from '../../nodes/Argyle/transport/outageTracker';
import { RateLimiter } from '../../nodes/Argyle/transport/rateLimiter';
import type { RecordTypeName } from '../support/fakeArgyle/recordTypes.mts';
import { fileBytes } from '../support/fakeArgyle/files.mts';
import { verificationProgress } from '../support/fakeArgyle/reportFiles.mts';
import type { ServedFile } from '../support/fakeArgyle/index.mts';
import { useFakeTime } from '../support/fakeTime.mts';
import { until } from '../support/n8n/until.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { binaryBytes, stopOnce, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture();

const RECORD_TYPES = {
	payrollDocument: 'payroll-documents',
	userUpload: 'user-uploads',
	report: 'reports',
	verification: 'verifications',
} as const;

/** The report of a verification. */
const REPORT = randomUUID();
const COMPLETED = verificationProgress(REPORT);

type Downloaded = keyof typeof RECORD_TYPES;

const parametersFor = (resource: Downloaded, id: string, more: object = {}) => ({
	resource,
	operation: 'download',
	[`${resource}Id`]: id,
	binaryPropertyName: 'data',
	...(['report', 'verification'].includes(resource) ? { format: 'pdf' } : {}),
	...more,
});

function add(resource: Downloaded, fields: Record<string, unknown> = {}): string {
	const recordType: RecordTypeName = RECORD_TYPES[resource];
	const [record] = node.service.addRecords(recordType, 1, fields);
	if (record === undefined) throw new Error('nothing was added');
	return record.id;
}

const pathOf = (resource: Downloaded, id: string) =>
	resource === 'verification'
		? `/v2/reports/${REPORT}/pdf`
		: `/v2/${RECORD_TYPES[resource]}/${id}/${resource === 'report' ? 'pdf' : 'file'}`;

/** Serves the file of a new payroll document in this way, and downloads it. */
async function downloadFrom(file: ServedFile, fields: Record<string, unknown> = {}) {
	const id = add('payrollDocument', fields);
	node.service.records.files.set(pathOf('payrollDocument', id), file);
	const [item] = await node.run(parametersFor('payrollDocument', id));
	return { id, item };
}

const redirectTo = (Location: string, status = 302): ServedFile => ({ status, headers: { Location } });

/** A file on the second host, as a redirect to it. */
function elsewhere(file: ServedFile = {}): ServedFile {
	node.service.fileHost.files.set('/stored', file);
	return redirectTo(`${node.service.fileHost.origin}/stored?signature=a%2Bb`);
}

const askedPaths = () => node.service.requests.map(({ path }) => path);
const fileOf = (item: INodeExecutionData | undefined) => binaryBytes(item?.binary?.data);
const bytesOf = (size: number) => Buffer.concat([...fileBytes(size)]);

describe('Download puts the file out byte for byte', () => {
	it.each<[Downloaded, string, Record<string, unknown>]>([
		['payrollDocument', 'payroll-document-ID.pdf', {}],
		['userUpload', 'most_recent_paystub_0-ID.pdf', {}],
		['report', 'report-ID.pdf', {}],
		['verification', 'verification-ID.pdf', COMPLETED],
		['verification', 'verification-8ABCD1EF.pdf', { ...COMPLETED, id: '8ABCD1EF' }],
	])('%s as %s', async (resource, name, fields) => {
		const id = add(resource, fields);
		node.service.records.files.set(pathOf(resource, id), { size: 300_000 });
		const [item] = await node.run(parametersFor(resource, id));
		expect((await fileOf(item)).equals(bytesOf(300_000))).toBe(true);
		const fileName = name.replace('ID', id);
		expect(item?.json).toEqual({ id, fileName, fileSize: 300_000, mimeType: 'application/pdf' });
		expect(item?.binary?.data).toMatchObject({ fileName, mimeType: 'application/pdf', fileExtension: 'pdf' });
		expect(askedPaths()).toEqual([`/v2/${RECORD_TYPES[resource]}/${id}`, pathOf(resource, id)]);
	});

	it.each([
		['report', {}],
		['verification', COMPLETED],
	] as const)('%s as JSON, into the field that was chosen', async (resource, fields) => {
		const id = add(resource, fields);
		const [item] = await node.run(
			parametersFor(resource, id, { format: '={{ "JSON" }}', binaryPropertyName: 'report' }),
		);
		expect((await binaryBytes(item?.binary?.report)).toString()).toBe(JSON.stringify({ report: id }));
		expect(item?.json).toMatchObject({ fileName: `${resource}-${id}.json`, mimeType: 'application/json' });
	});

	it("a file of 50 MB, streamed from another host into n8n's binary store", async () => {
		const size = 50 * 1024 * 1024;
		expect(Container.get(BinaryDataConfig).mode).toBe('filesystem');
		const { item } = await downloadFrom(elsewhere({ size }));
		const path = Container.get(BinaryDataService).getPath(item?.binary?.data?.id ?? '');
		const [received, sent] = [createHash('sha256'), createHash('sha256')];
		for await (const chunk of createReadStream(path)) received.update(chunk);
		for (const chunk of fileBytes(size)) sent.update(chunk);
		expect(received.digest('hex')).toBe(sent.digest('hex'));
		expect(item?.json.fileSize).toBe(size);
	});
});

describe('Download names the file', () => {
	const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

	it.each<[string, ServedFile, object, string, string]>([
		[
			'after Content-Disposition before the record',
			{ headers: { 'Content-Disposition': 'attachment; filename="W-2.pdf"' } },
			{ file_name: 'other.pdf' },
			'W-2-ID.pdf',
			'application/pdf',
		],
		['after the record', {}, { file_name: '../paystub: May.pdf' }, 'paystub May-ID.pdf', 'application/pdf'],
		[
			'with the type of its Content-Type',
			{ headers: { 'Content-Type': 'Image/TIFF; charset=binary' } },
			{ file_name: 'scan' },
			'scan-ID',
			'image/tiff',
		],
		[
			'with the type of its bytes where the response does not say it',
			{ headers: { 'Content-Type': 'application/octet-stream' }, body: PNG },
			{},
			'payroll-document-ID.png',
			'image/png',
		],
		[
			'with the type of its bytes where the response has one that is none',
			{ headers: { 'Content-Type': 'image/"png"' }, body: PNG },
			{},
			'payroll-document-ID.png',
			'image/png',
		],
		[
			'with the type of its name where nothing else says it',
			{ headers: { 'Content-Type': 'binary/octet-stream' }, body: 'a,b' },
			{ file_name: 'table.csv' },
			'table-ID.csv',
			'text/csv',
		],
	])('%s', async (_, file, fields, name, mimeType) => {
		const { id, item } = await downloadFrom(file, { ...fields });
		expect(item?.json).toMatchObject({ fileName: name.replace('ID', id), mimeType });
	});
});

describe('Download follows redirects', () => {
	it('without the key to another host, which does not count for the rate', async () => {
		const turns = jest.spyOn(RateLimiter.prototype, 'turn');
		const { item } = await downloadFrom(elsewhere());
		expect((await fileOf(item)).equals(bytesOf(2_000))).toBe(true);
		const [request, ...more] = node.service.fileHost.requests;
		expect(more).toEqual([]);
		expect(request).toMatchObject({ path: '/stored', headers: { 'accept-encoding': 'identity' } });
		expect(request?.headers).not.toHaveProperty('authorization');
		const { id, secret } = node.service.key;
		expect(JSON.stringify(request)).not.toMatch(new RegExp(`${id}|${secret}|${btoa(`${id}:${secret}`)}`));
		expect(turns).toHaveBeenCalledTimes(2);
	});

	it.each([301, 302, 303, 307, 308])("with the key on Argyle's own host (status %d)", async (status) => {
		node.service.records.files.set('/v2/files/1', {});
		const { item } = await downloadFrom(redirectTo('/v2/files/1', status));
		expect((await fileOf(item)).length).toBe(2_000);
	});

	it('asks another host that the record names without the key', async () => {
		node.service.fileHost.files.set('/stored', {});
		const { item } = await downloadFrom({}, { file_url: `${node.service.fileHost.origin}/stored` });
		expect((await fileOf(item)).length).toBe(2_000);
		expect(node.service.fileHost.requests[0]?.headers).not.toHaveProperty('authorization');
	});

	it('three times and back to Argyle', async () => {
		const { fileHost, records, origin } = node.service;
		fileHost.files.set('/1', redirectTo('/2'));
		fileHost.files.set('/2', redirectTo(`${origin}/v2/files/1`));
		records.files.set('/v2/files/1', {});
		const { item } = await downloadFrom(redirectTo(`${fileHost.origin}/1`));
		expect((await fileOf(item)).length).toBe(2_000);
	});

	it('without waiting for more of the answers that redirect', async () => {
		const watched: Array<AbortSignal | undefined> = [];
		jest.spyOn(paceClock, 'pause').mockImplementation(async (_, signal) => {
			watched.push(signal);
			await new Promise((resolve) => signal?.addEventListener('abort', resolve));
		});
		await downloadFrom(elsewhere());
		await until('all are let go', 5_000, async () => watched.every((signal) => signal?.aborted) || undefined);
		// Those of the record, of the answer that redirects, and of the file.
		expect(watched).toHaveLength(3);
	});

	it('not without encryption', async () => {
		const error = await failure(downloadFrom(redirectTo('http://files.example.com/1')));
		expect(error.description).toContain('It points to files.example.com without encryption (https).');
	});
});

describe('Download with the format Fields', () => {
	const jsonOf = (resource: 'report' | 'verification', id: string) =>
		`/v2/reports/${resource === 'report' ? id : REPORT}/json`;
	const fieldsOf = (resource: 'report' | 'verification', id: string, more: object = {}) =>
		parametersFor(resource, id, { format: 'fields', ...more });
	const PERSON = { name: 'Bob', ssn: '522-09-1191', json: { accounts: [{ account_number: '000123456789' }] } };

	it.each([
		['report', {}],
		['verification', COMPLETED],
	] as const)("puts out the JSON's fields of a %s, masked and without a file", async (resource, record) => {
		const id = add(resource, record);
		node.service.records.files.set(jsonOf(resource, id), { body: JSON.stringify({ person: PERSON, user_token: 'x' }) });
		const [item] = await node.run(fieldsOf(resource, id));
		const json = { accounts: [{ account_number: '•••6789' }] };
		expect(item?.json).toEqual({ person: { ...PERSON, ssn: '•••', json }, has_user_token: true });
		expect(item).not.toHaveProperty('binary');
		const [shown] = await node.run(fieldsOf(resource, id, { options: { includeSensitive: true } }));
		expect(shown?.json).toEqual({ person: PERSON, has_user_token: true });
	});

	it('asks for nothing when Include Sensitive Data is neither on nor off', async () => {
		const parameters = fieldsOf('report', add('report'), { options: { includeSensitive: '={{ "perhaps" }}' } });
		expect(await node.refusalOf(node.run(parameters))).toContain('neither on nor off');
	});

	it.each([
		['is a list', '[{}]', 'It is no JSON object.'],
		['is no JSON', 'a,b', 'It is no JSON object.'],
		['is too large', `{"a":"${'b'.repeat(16 * 1024 * 1024)}"}`, 'It is larger than 16 MB.'],
		['is too deep', `${'{"a":'.repeat(102)}1${'}'.repeat(102)}`, 'It is nested more than 100 levels deep.'],
	])('says so of a file that %s', async (_, body, reason) => {
		const id = add('report');
		node.service.records.files.set(jsonOf('report', id), { body });
		const error = await failure(node.run(fieldsOf('report', id)));
		expect(error.message).toBe("The JSON file of this report can't become the fields of an item [item 0]");
		expect(error.description).toBe(`${reason} To get it as a file, choose JSON in Format.`);
	});

	it('says so if the JSON of each report is a list', async () => {
		node.service.assumed.reportJson = 'a list';
		const error = await failure(node.run(fieldsOf('report', add('report'))));
		expect(error.description).toContain('It is no JSON object.');
	});
});

describe('Download says why there is no file', () => {
	it('when the report waits for data', async () => {
		const error = await failure(node.run(parametersFor('report', add('report', { status: 'waiting_for_sync' }))));
		expect(error.message).toBe('Argyle is still making this report [item 0]');
		expect(error.description).toContain('waiting_for');
		expect(node.service.requests).toHaveLength(1);
	});

	it('when the file is a web page that calls itself a PDF', async () => {
		const error = await failure(downloadFrom({ body: '\n<!DOCTYPE html><title>Sign in</title>' }));
		expect(error.message).toBe('Argyle sent a web page instead of the file [item 0]');
		expect(error.description).toContain('It says: Sign in');
	});

	it('when the other host refuses it', async () => {
		const body = '<Error>Request has expired</Error>';
		const error = await failure(downloadFrom(elsewhere({ status: 403, body })));
		expect(error.message).toBe(`The file could not be fetched from ${node.service.fileHost.origin} [item 0]`);
		expect(error.description).toContain('may work for a short time only. Run the node again.');
		expect(error.description).toContain('That host says: Request has expired HTTP status 403.');
	});

	it('when the other host cannot be reached', async () => {
		useFakeTime();
		const { origin } = node.service.fileHost;
		await node.service.fileHost.stop();
		const error = await failure(downloadFrom(redirectTo(`${origin}/1`)));
		expect(error.message).toBe(`The file could not be fetched from ${origin} [item 0]`);
		expect(error.description).toContain('The connection was refused.');
		expect(error.description).not.toContain('credential');
		// It says nothing about Argyle, whose other calls keep all their time.
		const { credentialDigest } = apiKeyOf({}, node.credential);
		const remaining = (host: string) => outages.remaining(`${credentialDigest} ${host}`, Date.now(), 10_000);
		expect([remaining(node.service.origin), remaining(origin)]).toEqual([10_000, 0]);
	});
});

it.each<[string, (file: ServedFile) => ServedFile]>([
	[
		'Argyle',
		(file) => {
			node.service.assumed.wayToDocument = 'the file';
			return file;
		},
	],
	['another host', elsewhere],
])('a file that breaks off on its way from %s is requested again', async (_, served) => {
	useFakeTime();
	const { item } = await downloadFrom(served({ size: 300_000, breaksOff: 2 }));
	expect((await fileOf(item)).equals(bytesOf(300_000))).toBe(true);
});

it('a cancelled execution ends a download from another host', async () => {
	const id = add('payrollDocument');
	node.service.records.files.set(pathOf('payrollDocument', id), elsewhere({ stalls: true }));
	const { requests } = node.service.fileHost;
	const { message } = await stopOnce(
		() => requests.length > 0,
		async (signal) => await node.run(parametersFor('payrollDocument', id), { signal }),
	);
	expect(message).toContain('could not be fetched');
	expect(requests).toHaveLength(1);
});
