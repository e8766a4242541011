import { readDetail } from '../../../nodes/Argyle/transport/errorDetail';

const detailOf = (value: unknown) =>
	readDetail(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), []);

describe('readDetail', () => {
	it.each<[unknown, string]>([
		[{ detail: 'Invalid username/password.' }, 'Invalid username/password.'],
		[{ message: 'Too Many Requests' }, 'Too Many Requests'],
		[{ error: { message: 'Deep', code: 7 } }, 'Deep'],
		[{ error: 'invalid', error_description: 'Telling' }, 'Telling'],
		[{ title: 'Problem' }, 'Problem'],
		[{ detail: [{ msg: 'One' }, { msg: 'Two' }] }, 'msg: One msg: Two'],
		[{ email: ['Enter a valid email address.'] }, 'email: Enter a valid email address.'],
		[{ url: ['Bad.', 'Worse.'], name: ['Missing.'] }, 'url: Bad. Worse.; name: Missing.'],
		[{ config: { items: ['Required.'] } }, 'config: items: Required.'],
		[{ errors: ['First', { message: 'Second' }] }, 'First Second'],
		[{ non_field_errors: ['Together'] }, 'Together'],
		[{ errors: { url: ['Bad.'] } }, 'url: Bad.'],
		[['Alone'], 'Alone'],
		['"Quoted"', 'Quoted'],
		[{ code: 7, fatal: true }, 'code: 7; fatal: true'],
		[{ a: null, b: [], c: {} }, ''],
		[null, ''],
		['', ''],
		['Plain   text\n\twith gaps', 'Plain text with gaps'],
		['{"broken": ', '{"broken":'],
		['<html><head><title>502 Bad Gateway</title></head><body>cloudflare</body></html>', '502 Bad Gateway'],
		['<!DOCTYPE html><style>p{}</style><script>x()</script><p>No <b>title</b></p>', 'No title'],
		['<p>One</p><p>Two</p>', 'One Two'],
		['One<style class="x">p{}</style>Two', 'One Two'],
		['<title lang="en">Long title</title>', 'Long title'],
		[{ config: { errors: ['Deep.'] } }, 'config: errors: Deep.'],
		[{ a: { b: { c: { d: { e: 'Deepest.' } } } } }, 'a: b: c: d: e: Deepest.'],
		['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
	])('reads the words in the error body %j', (value, words) => expect(detailOf(value)).toBe(words));

	it('returns an empty detail for a binary error body', () => {
		expect(readDetail(Buffer.from([0x25, 0x50, 0x00, 0x01]), [])).toBe('');
		expect(readDetail(Buffer.from([0xff, 0xfe, 0xfd]), [])).toBe('');
	});

	it('reads only the first 20,000 bytes of an error body', () => {
		const binaryEnd = Buffer.concat([Buffer.from('x'.repeat(20_000)), Buffer.from([0x00])]);
		expect(readDetail(binaryEnd, [])).toBe(`${'x'.repeat(299)}…`);
	});

	it('cuts an error detail to 300 characters', () => {
		expect(detailOf('x'.repeat(300))).toBe('x'.repeat(300));
		expect(detailOf('x'.repeat(301))).toBe(`${'x'.repeat(299)}…`);
	});

	it.each<[string, (inner: unknown) => unknown]>([
		['field maps', (inner) => ({ a: inner })],
		['detail keys', (inner) => ({ detail: inner })],
		['lists', (inner) => [inner]],
	])('does not follow %s that are nested without end in an error body', (_, wrap) => {
		let nested: unknown = 'bottom';
		for (let depth = 0; depth < 50; depth++) nested = wrap(nested);
		expect(detailOf(nested)).toBe('');
		expect(detailOf(wrap(wrap('bottom')))).toContain('bottom');
	});

	it('hides every occurrence of every secret in an error body', () => {
		const body = Buffer.from('key abcd and abcd, secret efgh');
		expect(readDetail(body, ['abcd', 'efgh'])).toBe('key [hidden] and [hidden], secret [hidden]');
	});

	it('does not hide values that are too short for a secret in an error body', () =>
		expect(readDetail(Buffer.from('a b'), ['a', ''])).toBe('a b'));
});

it('reads a long page up to the last whole character', () => {
	for (const blank of ['', ' ', '  ']) {
		const page = Buffer.from(`<html><title>${blank}アクセスが拒否されました</title>${'長'.repeat(10_000)}</html>`);
		expect(readDetail(page, [])).toBe('アクセスが拒否されました');
	}
});
