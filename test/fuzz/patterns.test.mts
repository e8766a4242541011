import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, Script } from 'node:vm';
import ts from 'typescript';
import { root } from '../support/paths.mts';

const folder = join(root, 'nodes');

/** Patterns that need more than one look at each character, and how long the texts are that they are given. */
const BOUNDED: Record<string, number> = { '/<(script|style)\\b[\\s\\S]*?<\\/\\1\\s*>/gi': 20_000 };

/** Of so long a text, a pattern with two looks for each pair of characters makes billions. */
const LENGTH = 100_000;

/** For all texts of a pattern. One that looks at each character a few times takes a hundredth of it. */
const TIMEOUT_MS = 5_000;

const UNITS = [
	...[' ', '\t\n', 'a', 'A', '1', '-', '.', ';', '=', '"', "'", '`', '\\', '/', '<', '>', '{', '[', ',', '_', ':', '%'],
	...['é', 'a ', 'a.', ' .', '; ', ';a=', ';a="', '<a', '<a ', '</', '<script', '<title', '<title>', 'webhook', 'a-'],
	...[
		'a1',
		'a_1',
		'Aa',
		'1:',
		'%41',
		'://',
		'http://',
		'a@',
		'{"',
		'a,',
		'_ssn',
		'item_',
		'\r\n',
		'\u200b',
		'\ud83d\ude00',
	],
];

function patternsIn(file: string): string[] {
	const source = ts.createSourceFile(file, readFileSync(join(folder, file), 'utf8'), ts.ScriptTarget.ES2023);
	const patterns: string[] = [];
	const visit = (node: ts.Node) => {
		if (ts.isRegularExpressionLiteral(node)) patterns.push(node.text);
		ts.forEachChild(node, visit);
	};
	visit(source);
	return patterns;
}

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const patterns = [...new Set(files.flatMap(patternsIn))];

it('finds the patterns of the nodes, and those that are bounded among them', () => {
	expect(patterns.length).toBeGreaterThan(40);
	expect(patterns).toEqual(expect.arrayContaining(Object.keys(BOUNDED)));
});

const replaceAll = new Script("for (const text of texts()) text.replace(expression, '')");

it.each(patterns)(
	'%s ends on long repetitive texts, which it would not if it looked at them again and again',
	(literal) => {
		const [, pattern = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(literal) ?? [];
		const expression = new RegExp(pattern, flags);
		const length = BOUNDED[literal] ?? LENGTH;
		function* texts() {
			for (const unit of UNITS)
				for (const [begin, end] of [
					['', '!'],
					['a', '\0'],
					['<;a="', 'é'],
				])
					yield `${begin}${unit.repeat(length / unit.length)}${end}`;
		}
		// No test's time limit ends an expression that runs; this one does.
		replaceAll.runInContext(createContext({ texts, expression }), { timeout: TIMEOUT_MS });
	},
);
