import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/paths.mts';
import { allMessages } from './messages.mts';

const page = readFileSync(join(root, 'docs', 'troubleshooting.md'), 'utf8');
const onPage = [...page.matchAll(/^\| `(.+?)` \|/gm)].map(([, message = '']) => message);

describe('docs/troubleshooting.md', () => {
	it('explains every message of the nodes, and none that no longer exists', () => {
		const messages = allMessages();
		expect(messages.filter((message) => !onPage.includes(message))).toEqual([]);
		expect(onPage.filter((message) => !messages.includes(message))).toEqual([]);
	});

	it('explains each once', () => {
		expect(onPage.filter((message, index) => onPage.indexOf(message) !== index)).toEqual([]);
	});

	it('sees messages of every kind', () => {
		expect(allMessages()).toEqual(
			expect.arrayContaining([
				'Receipts exist only in Production',
				'… Items are given, more than Argyle takes',
				'Argyle received too many requests at once',
				'The Argyle node can\'t do "…" with "…"',
				'Not ready yet, send again',
				'The event names no user form',
			]),
		);
	});
});
