import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { multipart } from '../../../nodes/Argyle/transport/upload';

const CHUNKS = [Buffer.from('%PDF-'), Buffer.from('1.7 '), Buffer.from('bytes')];
const CONTENT = Buffer.concat(CHUNKS);

const uploadOf = (content: Readable | Buffer, size = CONTENT.length, mimeType = 'application/pdf') =>
	multipart({ user: 'u', document_type: 'W-2' }, 'upload', {
		fileName: 'märz.pdf',
		mimeType,
		size,
		open: async () => content,
	});

/** What a server of the platform's own makes of it. */
async function parsed(bytes: Buffer, contentType: string) {
	const form = await new Response(new Uint8Array(bytes), { headers: { 'Content-Type': contentType } }).formData();
	return Object.fromEntries(
		await Promise.all(
			[...form].map(async ([name, value]) => [
				name,
				typeof value === 'string' ? value : [value.name, value.type, await value.text()],
			]),
		),
	);
}

it.each([
	['a stream', () => Readable.from(CHUNKS)],
	['bytes in memory', () => CONTENT],
])('multipart frames %s, and says beforehand how long it is', async (_, content) => {
	const upload = uploadOf(content());
	const opened = await upload.open();
	const bytes = Buffer.isBuffer(opened.body) ? opened.body : await buffer(opened.body);
	expect(bytes).toHaveLength(upload.contentLength);
	expect(await parsed(bytes, upload.contentType)).toEqual({
		user: 'u',
		document_type: 'W-2',
		upload: ['märz.pdf', 'application/pdf', CONTENT.toString()],
	});
	expect([opened.isSent(), opened.failure()]).toEqual([true, undefined]);
});

it('a stream that was not read to its end is known not to be sent, and is closed', async () => {
	const source = Readable.from(CHUNKS);
	const { body, isSent, close } = await uploadOf(source).open();
	if (Buffer.isBuffer(body)) throw new Error('the body is no stream');
	for await (const _ of body) break;
	expect(isSent()).toBe(false);
	close();
	expect(source.destroyed).toBe(true);
});

it.each([1, -1])('a stream that is %i bytes longer than was said fails', async (more) => {
	const opened = await uploadOf(Readable.from(CHUNKS), CONTENT.length - more).open();
	if (Buffer.isBuffer(opened.body)) throw new Error('the body is no stream');
	await expect(buffer(opened.body)).rejects.toThrow();
	expect(opened.failure()?.message).toContain("could not be read as a whole from n8n's binary store");
});

it.each([
	['image/svg+xml', 'image/svg+xml'],
	['Text/Plain; charset=utf-8', 'text/plain'],
	['application/pdf\r\nX-Evil: 1', 'application/octet-stream'],
	['application/pdf\r\n\r\nbytes', 'application/octet-stream'],
	['pdf', 'application/octet-stream'],
	['', 'application/octet-stream'],
])('the type %j of a file goes into its part as %s', async (mimeType, sent) => {
	const { body } = await uploadOf(CONTENT, CONTENT.length, mimeType).open();
	if (!Buffer.isBuffer(body)) throw new Error('the body is a stream');
	const [, , , head = ''] = body.toString().split(/--n8n-nodes-argyle-[\w-]+\r\n/);
	expect(head.split('\r\n\r\n')[0]?.split('\r\n').slice(1)).toEqual([`Content-Type: ${sent}`]);
});
