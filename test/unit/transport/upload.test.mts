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

it.each([
	['a stream', () => Readable.from(CHUNKS)],
	['bytes in memory', () => CONTENT],
])('multipart says beforehand how long it is with %s, and afterwards that it was sent', async (_, content) => {
	const upload = uploadOf(content());
	const { body, isSent, failure } = await upload.open();
	expect(Buffer.isBuffer(body) ? body : await buffer(body)).toHaveLength(upload.contentLength);
	expect([isSent(), failure()]).toEqual([true, undefined]);
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
