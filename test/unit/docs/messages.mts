import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../../support/paths.mts';

/** What makes a message for a person, and which of its arguments is the message. */
const MAKERS: Record<string, number> = { ArgyleError: 0, NodeOperationError: 1, answer: 2, warn: 0 };

/** Properties whose text a person reads; `message` stands for much else outside `errorMapper.ts`. */
const isMessageProperty = (name: string, file: string) =>
	['errorMessage', 'userFormError'].includes(name) || (name === 'message' && file.endsWith('errorMapper.ts'));

/** Hands on what others have said, as its own sentences are none. */
const BORDER = 'nodeError.ts';

/** Takes an expression; gives its text with `…` for what is filled in, undefined when it is no literal. */
function literal(node: ts.Expression): string | undefined {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	return node.head.text + node.templateSpans.map((span) => `…${span.literal.text}`).join('');
}

/** The function around a node, with the name under which its file calls it. */
function enclosing(node: ts.Node): { name: string; parameters: string[] } | undefined {
	for (let at = node.parent; !ts.isSourceFile(at); at = at.parent) {
		if (!ts.isFunctionLike(at)) continue;
		const { name } = ts.isVariableDeclaration(at.parent) ? at.parent : at;
		return { name: name?.getText() ?? '', parameters: at.parameters.map((parameter) => parameter.name.getText()) };
	}
	return undefined;
}

/** Takes a source file; gives every message for a person in it. Throws when one can't be read off the source. */
function messagesOf(source: ts.SourceFile): string[] {
	const messages: string[] = [];
	const makers = { ...MAKERS };

	function take(text: ts.Expression): void {
		const said = literal(text);
		if (said !== undefined) {
			// What is made of other messages alone says nothing of its own.
			if (/\p{L}/u.test(said)) messages.push(said);
			return;
		}
		const maker = enclosing(text);
		const index = maker?.parameters.indexOf(text.getText()) ?? -1;
		if (maker !== undefined && index >= 0) makers[maker.name] = index;
		else if (!/(^|\.)message$/.test(text.getText()))
			throw new Error(`${source.fileName}: can't tell what ${text.getText()} says`);
	}

	function visit(node: ts.Node): void {
		if (ts.isNewExpression(node) || ts.isCallExpression(node)) {
			const callee = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
			const index = Object.hasOwn(makers, callee.getText()) ? makers[callee.getText()] : undefined;
			const text = index === undefined ? undefined : node.arguments?.[index];
			if (text !== undefined) take(text);
		} else if (ts.isPropertyAssignment(node) && isMessageProperty(node.name.getText(), source.fileName)) {
			const said = literal(node.initializer);
			if (said !== undefined && /\p{L}/u.test(said)) messages.push(said);
		}
		ts.forEachChild(node, visit);
	}
	// The first time finds the functions that make messages of what they are given, which may be called further up.
	visit(source);
	visit(source);
	return messages;
}

/** Gives every message of the nodes that a person can read, without repetitions, with `…` for what is filled in. */
export function allMessages(): string[] {
	const folder = join(root, 'nodes');
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	const sources = files
		.filter((file) => file.endsWith('.ts') && !file.endsWith(BORDER))
		.map((file) => ts.createSourceFile(file, readFileSync(join(folder, file), 'utf8'), ts.ScriptTarget.ES2023, true));
	return [...new Set(sources.flatMap(messagesOf))].sort();
}
