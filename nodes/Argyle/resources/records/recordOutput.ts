import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { RecordType } from '../../api/recordTypes';
import { createMask, isSensitive } from '../../api/sensitiveFields';
import { optionsField } from '../../shared/fields';
import { readBoolean, readDisclosure } from '../../shared/parameters';

/** The hints that are shown already, by the context of the node's execution. */
const shownHints = new WeakMap<object, Set<string>>();

const MASKED =
	'••• stands for a social security number, a birth date, or a number of a bank account, card, passport or license. To see it, add the option Include Sensitive Data.';

/** In the words of n8n's own nodes. */
export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

const sensitiveOption: INodeProperties = {
	displayName: 'Include Sensitive Data',
	name: 'includeSensitive',
	type: 'boolean',
	default: false,
	description:
		'Whether to put out social security numbers, birth dates and numbers of bank accounts, cards, passports and licenses in full. Everyone who can see the execution can read them then.',
};

/** `more` are options of one operation. */
export function outputFields({ simplified }: RecordType, more: INodeProperties[] = []): INodeProperties[] {
	const options = optionsField([sensitiveOption, ...more]);
	return simplified === undefined ? [options] : [simplifyField, options];
}

/**
 * Shows a hint above the output, once for all items. The node needs none for Limit: n8n itself says there that more
 * results may exist than Limit allows.
 */
export function showHintOnce(context: IExecuteFunctions, message: string): void {
	const messages = shownHints.get(context) ?? new Set();
	if (messages.has(message)) return;
	shownHints.set(context, messages.add(message));
	context.addExecutionHints({ message, location: 'outputPane' });
}

/**
 * n8n's own helper takes a record with a field `json` for a whole item. Such a record could then name any file of n8n's
 * binary store as its own.
 */
export const toItems = (records: IDataObject[]): INodeExecutionData[] => records.map((json) => ({ json }));

/**
 * How an item's records come out: by default simplified and masked. With Include Sensitive Data, Simplify also keeps
 * the sensitive fields.
 */
export function readOutput(
	context: IExecuteFunctions,
	itemIndex: number,
	{ simplified }: RecordType,
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
