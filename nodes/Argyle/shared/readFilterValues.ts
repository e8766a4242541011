import { type IDataObject, type IExecuteFunctions, type INodeProperties, isExpression } from 'n8n-workflow';

import { refused } from '../transport/errors';
import { isNothing, unquoted } from '../utils/coerce';
import { isDataObject } from '../utils/json';
import { chosenIn, isByExternalId } from './chosenId';

type FilterField = Pick<INodeProperties, 'name' | 'displayName'>;

/** One call of `$fromAI` and nothing else, as ✨ writes it: its arguments are texts in quotes, or words such as true. */
const CALL_OF_MODEL =
	/^=\{\{\s*(?:\/\*[^*]*\*\/\s*)?\$fromAI\((?:\s*(?:(['"`])(?:\\.|(?!\1|\$\{)[^\\])*\1|[\w.-]+)\s*(?:,|(?=\))))+\)\s*\}\}$/is;

const isLeftToModel = (saved: unknown) => isExpression(saved) && CALL_OF_MODEL.test(saved);

/** What language models also write for nothing. */
const WORDS_FOR_NOTHING = ['null', 'undefined', 'none'];

const isLeftOut = (value: unknown) =>
	isNothing(value) || (typeof value === 'string' && WORDS_FOR_NOTHING.includes(unquoted(value).toLowerCase()));

/**
 * The values of the item's filters, without those that a person, or a language model that was asked for one, left
 * empty. No other way leads to them, so that in every operation a filter whose expression gives nothing is refused: an
 * empty cell is no wish for the records of everybody. (An expression for all filters at once n8n drops by itself.) A
 * user that is chosen by External ID is returned as it was chosen; `readIdToFind` looks it up.
 */
export function readFilterValues(context: IExecuteFunctions, itemIndex: number, fields: FilterField[]): IDataObject {
	const values = context.getNodeParameter('filters', itemIndex, {});
	const saved: unknown = context.getNodeParameter('filters', itemIndex, {}, { rawExpressions: true });
	const given: IDataObject = {};
	for (const { name, displayName } of fields) {
		const chosen = values[name];
		const value = chosenIn(chosen);
		const source = isDataObject(saved) ? chosenIn(saved[name]) : undefined;
		const isAsked = isLeftToModel(source);
		if (!(isAsked ? isLeftOut(value) : isNothing(value))) given[name] = isByExternalId(chosen) ? chosen : value;
		else if (!isAsked && [source].flat().some(isExpression)) {
			throw refused(
				`The filter ${displayName} has no value`,
				'Its expression gives nothing, and without the filter the records of everybody would come. Correct the expression, or remove the filter.',
			);
		}
	}
	return given;
}
