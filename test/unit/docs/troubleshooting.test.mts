import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXECUTION_ERRORS, PUBLICATION_ERRORS } from '../../integration/errorCases.mts';
import { root, textOfFile } from '../../support/paths.mts';

const page = textOfFile('docs/troubleshooting.md');
/** `…` stands for what varies. */
const explained = [...page.matchAll(/^\| `(.+?)` \|/gm)].map(([, message = '']) => message);

const folder = join(root, 'nodes');
const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.ts'))
	.map((file) => readFileSync(join(folder, file), 'utf8'))
	.join('\n')
	// A message that stands only in a comment is shown to nobody.
	.replace(/^\s*\/\*\*[\s\S]*?\*\/|^\s*\/\/.*/gm, '');
const errors = EXECUTION_ERRORS.concat(PUBLICATION_ERRORS);

/** The literal with which an error is created: before other arguments, or as `message` of an object. */
const literals = /(?:new ArgyleError\(|refused\(|message:)\s*(['"`])((?:\\.|(?!\1).)+)\1,/g;

/** The literal that is written to n8n's log for people; `debug` is for us. */
const logged = /logger\s*\.(?:info|warn)\(\s*(['"`])((?:\\.|(?!\1).)+)\1/g;

function messagesIn(pattern: RegExp): string[] {
	return [...source.matchAll(pattern)].map(([, , message = '']) =>
		message.replace(/\$\{[^}]*\}/g, '…').replaceAll('\\', ''),
	);
}

function isExplained(message: string): boolean {
	return explained.some((text) => {
		const pattern = text.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
		return new RegExp(`^${pattern.join('.+')}$`).test(message);
	});
}

it.each(errors)('docs/troubleshooting.md explains "$message"', ({ message }) => {
	expect(isExplained(message)).toBe(true);
});

it.each([
	['error that is created', literals, 25],
	["message that is written to n8n's log", logged, 8],
])('docs/troubleshooting.md explains every %s with a literal in nodes/', (_kind, pattern, atLeast) => {
	const messages = messagesIn(pattern);
	expect(messages.length).toBeGreaterThan(atLeast);
	expect(messages.filter((message) => !isExplained(message))).toEqual([]);
});

it('docs/troubleshooting.md explains no message twice', () => {
	expect(explained.filter((message, index) => explained.indexOf(message) !== index)).toEqual([]);
});

it.each(explained)('nodes/ contains the message "%s" of docs/troubleshooting.md', (message) => {
	const [longest = ''] = message.split('…').sort((one, other) => other.length - one.length);
	const isProvoked = errors.some((each) => each.message === message);
	expect(isProvoked || source.replaceAll('\\', '').includes(longest)).toBe(true);
});
