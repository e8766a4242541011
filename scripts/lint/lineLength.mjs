import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const LIMIT = 120;

const CODE = /^((credentials|nodes|scripts|test)\/.+|[^/]+)\.(ts|mts|mjs|cjs|js)$/;
const DOCS = /^((docs|examples)\/.+|[^/]+)\.md$/;

/** A line that is a comment, or code with a comment behind it. */
const COMMENT = /^\s*(\/\/|\/\*|\*)|\s\/\/ /;
const FENCE = /^\s*```/;
const LINK = /\]\([^)]*\)|<?https?:\/\/\S+/g;

/** Returns `text` with empty lines in place of code fences and tables, and without the targets of its links. */
function wrappableLines(text) {
	let isFenced = false;
	return text.split('\n').map((line) => {
		const isFence = FENCE.test(line);
		if (isFence) isFenced = !isFenced;
		return isFence || isFenced || line.startsWith('|') ? '' : line.replaceAll(LINK, '');
	});
}

/** Returns the lines over 120 characters that Prettier leaves alone, as `file:line`: comments, and Markdown's text. */
export function findLongLines() {
	// Those that git ignores, such as what is installed, are not ours.
	const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' });
	return listed.split('\n').flatMap((file) => {
		if (!(CODE.test(file) || DOCS.test(file)) || !existsSync(file)) return [];
		const text = readFileSync(file, 'utf8');
		const lines = DOCS.test(file) ? wrappableLines(text) : text.split('\n');
		return lines.flatMap((line, index) =>
			line.length > LIMIT && (DOCS.test(file) || COMMENT.test(line)) ? [`${file}:${index + 1}`] : [],
		);
	});
}
