import { type IDataObject, type IExecuteFunctions, type INodeProperties, isExpression } from 'n8n-workflow';

import { refused } from '../transport/errors';
import { isNothing, unquoted } from '../utils/coerce';
import { isDataObject } from '../utils/json';
import { EXTERNAL_ID } from '../api/filters';
import { chosenIn, isByExternalId, isNoChoice } from './idToFind';
import { readExternalId } from './externalId';
import { isLeftOver } from './leftOver';

type FilterField = Pick<INodeProperties, 'name' | 'displayName'>;

/**
 * An expression that only calls `$fromAI`, as n8n's ✨ button writes it. Its arguments are quoted texts, or words such
 * as true.
 */
const CALL_OF_MODEL =
	/^=\{\{\s*(?:\/\*[^*]*\*\/\s*)?\$fromAI\((?:\s*(?:(['"`])(?:\\.|(?!\1|\$\{)[^\\])*\1|[\w.-]+)\s*(?:,|(?=\))))+\)\s*\}\}$/is;

const isLeftToModel = (saved: unknown) => isExpression(saved) && CALL_OF_MODEL.test(saved);

/** Language models also write these words when they mean no value. */
const WORDS_FOR_NOTHING = ['null', 'undefined', 'none'];

const isLeftOut = (value: unknown) =>
	isNothing(value) || (typeof value === 'string' && WORDS_FOR_NOTHING.includes(unquoted(value).toLowerCase()));

/** Whether a language model left a field empty when n8n asked it for a value. `saved` is the field's expression. */
export const isLeftOutByModel = (saved: unknown, value: unknown): boolean => isLeftToModel(saved) && isLeftOut(value);

/** Returns the values of a collection without those that a language model left empty. */
export function withoutLeftOut(values: IDataObject, saved: unknown): IDataObject {
	if (!isDataObject(saved)) return values;
	const given = Object.entries(values).filter(([name, value]) => !isLeftOutByModel(saved[name], value));
	return Object.fromEntries(
		given.map(([name, value]) => [name, isDataObject(value) ? withoutLeftOut(value, saved[name]) : value]),
	);
}

/**
 * Returns the values of the item's filters. It leaves out filters that a person left empty, or that a language model
 * left empty when n8n asked it for a value. It refuses any other filter whose expression gives nothing, because an
 * empty cell does not mean that the records of everybody are wanted. Every operation reads its filters here, so this
 * holds for every operation. (If the whole Filters field is one expression, n8n ignores that expression.) If a user was
 * chosen by External ID, it returns the choice with the ID in it. `idToFind` then looks up the user.
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
		// This is refused too, because without the filter the records of everybody would come out.
		if (isNoChoice(chosen)) {
			throw refused(
				`The filter ${displayName} has no value`,
				'The chosen entry only says that the search was not complete: choose another one, or remove the filter.',
			);
		}
		if (!(isAsked ? isLeftOut(value) : isNothing(value) || isLeftOver(context, itemIndex, source, value))) {
			const readOwnId = () => readExternalId(context, itemIndex, { fieldName: displayName, value, saved: source });
			if (isByExternalId(chosen)) given[name] = { ...chosen, value: readOwnId() };
			else given[name] = name === EXTERNAL_ID.name ? readOwnId() : value;
		} else if (!isAsked && [source].flat().some(isExpression)) {
			throw refused(
				`The filter ${displayName} has no value`,
				'Its expression gives nothing, and without the filter the records of everybody would come. Correct the expression, or remove the filter.',
			);
		}
	}
	return given;
}
