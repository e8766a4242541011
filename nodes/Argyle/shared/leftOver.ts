import { type IExecuteFunctions, isExpression } from 'n8n-workflow';

import { isNothing } from '../utils/coerce';
import { valuesIn } from '../utils/expressionParts';

const TEXT_IN_CODE = /^\s*(['"`])((?:(?!\1).)*)\1\s*$/s;

/**
 * Returns what code such as `'crm-' + $json.id` gives if all values that it reads are missing. `nothing` is the text
 * that a missing value becomes.
 */
function leftOfCode(code: string, nothing: string): string {
	const operands = code.split('+').map((operand) => TEXT_IN_CODE.exec(operand)?.[2] ?? nothing);
	return operands.join('').replace(/\$\{[^{}]*\}/g, nothing);
}

/**
 * Whether `text` is what the expression `saved` gives if all values that it reads are missing. For each row without an
 * ID, for example, `crm-{{ $json.id }}` gives `crm-`. All these rows have the same text, so it names nobody.
 */
export function isLeftOver(saved: unknown, text: unknown): boolean {
	if (!isExpression(saved) || !saved.includes('{{')) return false;
	const [first, ...others] = saved.slice(1).split('{{');
	const leftBy = (nothing: string) =>
		[first, ...others.map((part) => part.replace(/^(.*?)}}/s, (_, code: string) => leftOfCode(code, nothing)))]
			.join('')
			.trim();
	const texts = ['', 'null', 'undefined'].map(leftBy);
	// An expression that reads no value always gives the same text, on purpose.
	return new Set(texts).size > 1 && texts.some((left) => left === text);
}

/**
 * Returns the value of a field of the item, or '' if `isLeftOver` says that all values in its expression were missing.
 */
export function readGiven(context: IExecuteFunctions, itemIndex: number, name: string): unknown {
	const value: unknown = context.getNodeParameter(name, itemIndex, '');
	return isLeftOver(context.getNodeParameter(name, itemIndex, '', { rawExpressions: true }), value) ? '' : value;
}

/**
 * Whether the expression `saved` composes its text of several values, and one of them is missing. In
 * `{{ $json.tenant }}-{{ $json.id }}`, for example, all rows of a tenant that have no ID get the same text.
 */
export function lacksValue(context: IExecuteFunctions, itemIndex: number, saved: unknown): boolean {
	const values = isExpression(saved) ? valuesIn(saved) : [];
	if (values.length < 2) return false;
	return values.some((code) => {
		try {
			const value: unknown = context.evaluateExpression(`{{ ${code} }}`, itemIndex);
			return isNothing(value) || Number.isNaN(value);
		} catch {
			// The expression as a whole has given a text, so this part means nothing by itself.
			return false;
		}
	});
}
