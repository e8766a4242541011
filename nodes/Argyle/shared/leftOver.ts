import { type IExecuteFunctions, isExpression } from 'n8n-workflow';

import { isNothing } from '../utils/coerce';
import { valuesIn } from '../utils/expressionParts';

/** A missing value becomes one of these words if code such as `String($json.id)` makes a text of it. */
const isMissing = (value: unknown) => isNothing(value) || value === 'null' || value === 'undefined';

/**
 * Says how many of the values are missing of which the expression `saved` composes its text `value`. If it is `all`,
 * `crm-{{ $json.id }}`, for example, gives `crm-` for each row without an ID. If it is `some`,
 * `{{ $json.tenant }}-{{ $json.id }}` gives all rows of a tenant that have no ID the same text, which names nobody.
 */
export function missingIn(
	context: IExecuteFunctions,
	itemIndex: number,
	saved: unknown,
	value: unknown,
): 'all' | 'some' | 'none' {
	const codes = isExpression(saved) ? valuesIn(saved) : [];
	if (codes.length === 0) return 'none';
	// Nothing is evaluated again if the expression is that of one value.
	if (String(saved).slice(1).trim().slice(2, -2).trim() === codes[0]) {
		return typeof value === 'string' && isMissing(value) ? 'all' : 'none';
	}
	const missing = codes.filter((code) => {
		try {
			const part: unknown = context.evaluateExpression(`{{ ${code} }}`, itemIndex);
			return isMissing(part) || Number.isNaN(part);
		} catch {
			// The expression as a whole has given a text, so this part means nothing by itself.
			return false;
		}
	});
	return missing.length === codes.length ? 'all' : missing.length > 0 ? 'some' : 'none';
}

/** Whether a text is what an expression gives if all values in it are missing. */
export const isLeftOver = (...given: Parameters<typeof missingIn>): boolean => missingIn(...given) === 'all';

/**
 * Returns the value of a field of the item, or '' if `isLeftOver` says that all values in its expression were missing.
 */
export function readGiven(context: IExecuteFunctions, itemIndex: number, name: string): unknown {
	const value: unknown = context.getNodeParameter(name, itemIndex, '');
	const saved: unknown = context.getNodeParameter(name, itemIndex, '', { rawExpressions: true });
	return isLeftOver(context, itemIndex, saved, value) ? '' : value;
}
