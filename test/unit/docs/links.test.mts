import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, textOfFile } from '../../support/paths.mts';

const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
	cwd: root,
	encoding: 'utf8',
})
	.trim()
	.split('\n')
	.filter((page) => existsSync(join(root, page)));

const fenced = /^ *```[^]*?^ *```$/gm;
const textOf = (page: string) => textOfFile(page).replace(fenced, '');

/** As GitHub makes them of headings: small letters, hyphens for blanks, and of the rest letters, digits, - and _. */
function anchorsOf(page: string): string[] {
	return [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replaceAll(' ', '-'),
	);
}

/** The targets of links and pictures that are not addresses. */
function targetsOf(page: string): string[] {
	const text = textOf(page).replace(/`[^`\n]*`/g, '');
	const links = [...text.matchAll(/\]\(([^)\s]+)\)|\bsrc="([^"]+)"/g)].map(([, link, src]) => link ?? src ?? '');
	return links.filter((target) => !/^(https?|mailto):/.test(target));
}

function isThere(page: string, target: string): boolean {
	const [file = '', anchor] = target.split('#');
	const path = file === '' ? page : join(dirname(page), file);
	return existsSync(join(root, path)) && (anchor === undefined || anchorsOf(path).includes(anchor));
}

it.each(pages)('every link and anchor in %s leads somewhere', (page) => {
	expect(targetsOf(page).filter((target) => !isThere(page, target))).toEqual([]);
});

it('the page of questions lists all of its questions at its top, in their order', () => {
	const [list = ''] = textOf('docs/questions.md').split('\n## ');
	const [, ...questions] = anchorsOf('docs/questions.md');
	expect(questions.length).toBeGreaterThan(12);
	expect([...list.matchAll(/\]\(#(\S+?)\)/g)].map(([, anchor]) => anchor)).toEqual(questions);
});

it('the README leads to the page of questions, and asks some of them itself', () => {
	const asked = targetsOf('README.md').filter((target) => target.startsWith('docs/questions.md'));
	expect(asked).toContain('docs/questions.md');
	expect(new Set(asked).size).toBeGreaterThan(3);
});

it('every picture of docs/images is shown on a page', () => {
	const pictures = execFileSync('git', ['ls-files', 'docs/images'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
	const shown = pages.map((page) => textOfFile(page)).join('\n');
	expect(pictures.filter((picture) => !shown.includes(picture.replace('docs/', '')))).toEqual([]);
});
