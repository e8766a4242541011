import { fileNameFromHeader, safeFileName } from '../../../nodes/Argyle/utils/fileName';

describe('fileNameFromHeader', () => {
	it.each([
		['attachment; filename="receipt.pdf"', 'receipt.pdf'],
		['attachment; filename=receipt.pdf', 'receipt.pdf'],
		['attachment;FILENAME = "a b.pdf" ', 'a b.pdf'],
		['attachment; filename="a\\"b\\\\c.pdf"', 'c.pdf'],
		['attachment; filename="semi;colon=.pdf"; size=3', 'semi;colon=.pdf'],
		['attachment; filename="plain.pdf"; filename*=UTF-8\'\'Quittung%20%C3%A4.pdf', 'Quittung ä.pdf'],
		["attachment; filename*=utf-8'de'%e2%82%ac.pdf; filename=plain.pdf", '€.pdf'],
		["attachment; filename*=ISO-8859-1''%E4.pdf", 'ä.pdf'],
		["attachment; filename*=KOI8-R''%E4.pdf; filename=plain.pdf", 'plain.pdf'],
		['attachment; filename*=broken; filename=plain.pdf', 'plain.pdf'],
		["attachment; filename*=UTF-8''; filename=plain.pdf", 'plain.pdf'],
		["attachment; filename*=UTF-8''%zz.pdf", '%zz.pdf'],
		["attachment; filename*=xUTF-8''a.pdf; filename=plain.pdf", 'plain.pdf'],
		['attachment; filename=first.pdf; filename=second.pdf', 'first.pdf'],
		[`attachment; filename="${Buffer.from('Ä.pdf').toString('latin1')}"`, 'Ä.pdf'],
		['attachment; filename="\u00e4.pdf"', 'ä.pdf'],
		['attachment; filename="../../etc/passwd"', 'passwd'],
		["attachment; filename*=UTF-8''..%2F..%5Cboot.ini", 'boot.ini'],
	])('reads from the header %p the file name %p', (header, name) => expect(fileNameFromHeader(header)).toBe(name));

	it.each([
		undefined,
		null,
		7,
		'',
		'attachment',
		'inline; size=3',
		'attachment; filename=""',
		'attachment; filename="../"',
		['attachment; filename=a.pdf'],
	])('finds no file name in the header %p', (header) => expect(fileNameFromHeader(header)).toBeUndefined());
});

describe('safeFileName', () => {
	it.each([
		['a.pdf', 'a.pdf'],
		['a/b\\c.pdf', 'c.pdf'],
		['..', ''],
		['  .hidden. ', 'hidden'],
		['a\u0000\u001f\u202eb.pdf', 'ab.pdf'],
		['a<b>:"|?*.pdf', 'ab.pdf'],
		['con', '_con'],
		['LPT1.pdf', '_LPT1.pdf'],
		['console.pdf', 'console.pdf'],
		['', ''],
	])('turns %j into the safe file name %j', (text, name) => expect(safeFileName(text)).toBe(name));

	it('shortens a file name to 200 characters and keeps its extension', () => {
		expect(safeFileName(`${'x'.repeat(196)}.pdf`)).toHaveLength(200);
		expect(safeFileName(`${'x'.repeat(197)}.pdf`)).toBe(`${'x'.repeat(196)}.pdf`);
		expect(safeFileName(`a.pdf${'z'.repeat(200)}`)).toBe(`a.pdf${'z'.repeat(195)}`);
		expect(safeFileName('y'.repeat(201))).toBe('y'.repeat(200));
	});

	it.each([' ', '.'])('leaves no %j at the end of a shortened name, where Windows would remove it', (end) => {
		expect(safeFileName(`${'x'.repeat(199)}${end}${'y'.repeat(20)}`)).toBe('x'.repeat(199));
	});

	it('counts a file name in bytes and never splits a character', () => {
		expect(safeFileName(`${'收'.repeat(100)}.pdf`)).toBe(`${'收'.repeat(65)}.pdf`);
		expect(safeFileName(`a${'😀'.repeat(100)}`)).toBe(`a${'😀'.repeat(49)}`);
		expect(safeFileName('\ud83da\ude00')).toBe('a');
	});

	it('finds the file name at the end of a very long text', () => {
		expect(safeFileName(`${' .'.repeat(100_000)}/${'.'.repeat(100)} a.pdf`)).toBe('a.pdf');
		expect(safeFileName(`a${'b'.repeat(4_000)}`)).toBe('b'.repeat(200));
	});
});
