import { inflateRawSync } from 'node:zlib';

const CENTRAL_HEADER_SIGNATURE = 0x02014b50;
const END_SIGNATURE = 0x06054b50;
const DEFLATED = 8;

/** The files of a ZIP archive by name, as its central directory lists them (PKWARE's APPNOTE 4.3). */
export function unzip(archive: Buffer): Map<string, Buffer> {
	const end = archive.lastIndexOf(Buffer.from(Uint32Array.of(END_SIGNATURE).buffer));
	const files = new Map<string, Buffer>();
	let at = archive.readUInt32LE(end + 16);
	while (archive.readUInt32LE(at) === CENTRAL_HEADER_SIGNATURE) {
		const method = archive.readUInt16LE(at + 10);
		const size = archive.readUInt32LE(at + 20);
		const nameLength = archive.readUInt16LE(at + 28);
		const header = archive.readUInt32LE(at + 42);
		const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
		const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
		const stored = archive.subarray(start, start + size);
		files.set(name, method === DEFLATED ? inflateRawSync(stored) : Buffer.from(stored));
		at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
	}
	return files;
}
