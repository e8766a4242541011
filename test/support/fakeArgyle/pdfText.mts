import { decodePDFRawStream, PDFArray, PDFDocument, PDFRawStream } from 'pdf-lib';

/** Takes a PDF; gives the text that its first page draws, one line per drawing. */
export async function textOf(bytes: Buffer): Promise<string> {
	const pdf = await PDFDocument.load(bytes);
	const contents = pdf.getPage(0).node.Contents();
	if (!(contents instanceof PDFArray)) throw new Error('The page has no contents');
	const drawn = contents.asArray().map((reference) => {
		const stream = pdf.context.lookup(reference);
		if (!(stream instanceof PDFRawStream)) throw new Error('The contents are no stream');
		return Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1');
	});
	return [...drawn.join('\n').matchAll(/<([0-9A-F]*)> Tj/g)]
		.map(([, hex]) => Buffer.from(hex ?? '', 'hex').toString('latin1'))
		.join('\n');
}
