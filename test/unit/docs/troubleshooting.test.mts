import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXECUTION_ERRORS, PUBLICATION_ERRORS } from '../../e2e/errorCases.mts';
import { root } from '../../support/paths.mts';

const page = readFileSync(join(root, 'docs', 'troubleshooting.md'), 'utf8');
/** `…` stands for what varies. */
const explained = [...page.matchAll(/^\| `(.+?)` \|/gm)].map(([, message = '']) => message);

const folder = join(root, 'nodes');
const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.ts'))
	.map((file) => readFileSync(join(folder, file), 'utf8'))
	.join('\n');

/** The literal with which an error is created: before other arguments, or as `message` of an object. */
const literals = /(?:new ArgyleError\(|refused\(|message:)\s*(['"`])((?:\\.|(?!\1).)+)\1,/g;

function isExplained(message: string): boolean {
	return explained.some((text) => {
		const pattern = text.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
		return new RegExp(`^${pattern.join('.+')}$`).test(message);
	});
}

it.each(EXECUTION_ERRORS.concat(PUBLICATION_ERRORS))('docs/troubleshooting.md explains "$message"', ({ message }) => {
	expect(isExplained(message)).toBe(true);
});

it('docs/troubleshooting.md explains every error that is created with a literal in nodes/', () => {
	const messages = [...source.matchAll(literals)].map(([, , message = '']) =>
		message.replace(/\$\{[^}]*\}/g, '…').replaceAll('\\', ''),
	);
	expect(messages.length).toBeGreaterThan(25);
	expect(messages.filter((message) => !isExplained(message))).toEqual([]);
});

it('docs/troubleshooting.md explains no message twice', () => {
	expect(explained.filter((message, index) => explained.indexOf(message) !== index)).toEqual([]);
});

it.each(explained)('nodes/ contains the message "%s" of docs/troubleshooting.md', (message) => {
	const [longest = ''] = message.split('…').sort((one, other) => other.length - one.length);
	expect(source.replaceAll('\\', '').includes(longest)).toBe(true);
});
