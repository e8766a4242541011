import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { RecordType } from '../../api/recordTypes';
import { createMask, isSensitive } from '../../api/sensitiveFields';
import { optionsField } from '../../shared/fields';
import { readBoolean, readDisclosure } from '../../shared/parameters';

/** For each context of a node's run, the hints that it shows already. */
const shownHints = new WeakMap<object, Set<string>>();

const MASKED =
	'••• stands for a social security number, a birth date, or a number of a bank account, card, passport or license. To see it, add the option Include Sensitive Data.';

/** The words are those of n8n's own nodes. */
export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/**
 * It is off when it is added, unlike other options. Only then does n8n show what it does, and what has come out once
 * stays in the executions.
 */
const sensitiveOption: INodeProperties = {
	displayName: 'Include Sensitive Data',
	name: 'includeSensitive',
	type: 'boolean',
	default: false,
	description:
		'Whether to put out social security numbers, birth dates and numbers of bank accounts, cards, passports and licenses in full. Everyone who can see the execution can read them then.',
};

/** Returns the fields that decide how records come out. `more` are options that only one operation has. */
export function outputFields(
	{ simplified }: Pick<RecordType, 'simplified'>,
	more: INodeProperties[] = [],
): INodeProperties[] {
	const options = optionsField([sensitiveOption, ...more]);
	return simplified === undefined ? [options] : [simplifyField, options];
}

/**
 * Shows a hint above the output, once for all items. Limit needs no such hint, because n8n itself says above the output
 * that more results may exist than Limit allows.
 */
export function showHintOnce(context: IExecuteFunctions, message: string): void {
	const messages = shownHints.get(context) ?? new Set();
	if (messages.has(message)) return;
	shownHints.set(context, messages.add(message));
	context.addExecutionHints({ message, location: 'outputPane' });
}

/**
 * Puts each record into an item. n8n's own helper would take a record with a field `json` for a whole item, and such a
 * record could name any file of n8n's binary store as its own.
 */
export const toItems = (records: IDataObject[]): INodeExecutionData[] => records.map((json) => ({ json }));

/**
 * Returns the function that makes an item's records ready for the output. By default, it simplifies and masks them.
 * With Include Sensitive Data, Simplify also keeps the sensitive fields.
 */
export function readOutput(
	context: IExecuteFunctions,
	itemIndex: number,
	{ simplified }: Pick<RecordType, 'simplified'>,
): (record: IDataObject) => IDataObject {
	const includeSensitive = readDisclosure(context, itemIndex, 'includeSensitive', 'Include Sensitive Data');
	const isSimple = readBoolean(context.getNodeParameter('simplify', itemIndex, true), 'Simplify');
	const isShown = (field: string) => simplified?.includes(field) || (includeSensitive && isSensitive(field));
	const mask = createMask({ isForTokensOnly: includeSensitive, onMask: () => showHintOnce(context, MASKED) });
	return (record) => {
		const chosen =
			isSimple && simplified !== undefined
				? Object.fromEntries(Object.entries(record).filter(([field]) => isShown(field)))
				: record;
		return mask(chosen);
	};
}
