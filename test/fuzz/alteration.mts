import { gzipSync } from 'node:zlib';

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

function flipped(body: Buffer, vary: number): Buffer {
	const copy = Buffer.from(body);
	const at = vary % copy.length;
	copy.writeUInt8(copy.readUInt8(at) ^ (1 << vary % 8), at);
	return copy;
}

/**
 * Ways to change the pretty-printed event message of a genuinely signed delivery. Each takes its bytes and a number
 * that varies the change; gives what n8n would hand over as raw body, of whatever type. None gives the same bytes.
 */
export const ALTERATIONS: Record<string, (body: Buffer, vary: number) => unknown> = {
	'one bit flipped': flipped,
	'cut short': (body, vary) => body.subarray(0, vary % body.length),
	'its start cut off': (body, vary) => body.subarray(1 + (vary % body.length)),
	'a byte behind': (body, vary) => Buffer.concat([body, Buffer.from([vary % 256])]),
	'a byte before': (body, vary) => Buffer.concat([Buffer.from([vary % 256]), body]),
	'a BOM before': (body) => Buffer.concat([BOM, body]),
	'a line break behind': (body) => Buffer.concat([body, Buffer.from('\n')]),
	'twice in a row': (body) => Buffer.concat([body, body]),
	compact: (body) => Buffer.from(JSON.stringify(JSON.parse(body.toString()))),
	'indented with tabs': (body) => Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, '\t')),
	'line breaks of Windows': (body) => Buffer.from(body.toString('latin1').replaceAll('\n', '\r\n'), 'latin1'),
	'in UTF-16': (body) => Buffer.from(body.toString(), 'utf16le'),
	gzip: (body) => gzipSync(body, { level: 1 }),
	'one more key': (body, vary) => Buffer.from(body.toString().replace('{', `{"extra${vary}":1,`)),
	'not kept by n8n': () => undefined,
	'null instead of bytes': () => null,
	'text instead of bytes': (body) => body.toString(),
	'an array of bytes instead of a Buffer': (body) => new Uint8Array(body),
	'the parsed object instead of bytes': (body) => JSON.parse(body.toString()),
};
