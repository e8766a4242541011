import { mediaTypeOf } from '../../../nodes/Argyle/utils/mediaType';

it.each<[unknown, string | undefined]>([
	['application/pdf', 'application/pdf'],
	[' Image/TIFF ; charset=binary', 'image/tiff'],
	['application/vnd.ms-excel.sheet+xml', 'application/vnd.ms-excel.sheet+xml'],
	['application/pdf\r\nX-Evil: 1', undefined],
	['application/p df', undefined],
	['application/"pdf"', undefined],
	['application', undefined],
	['a/b/c', undefined],
	['', undefined],
	[undefined, undefined],
	[['text/html'], 'text/html'],
	[{}, undefined],
])('mediaTypeOf reads %p as %p', (text, type) => expect(mediaTypeOf(text)).toBe(type));
