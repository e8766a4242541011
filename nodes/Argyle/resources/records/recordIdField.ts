import type { INodeProperties } from 'n8n-workflow';

import type { RecordType } from '../../api/recordTypes';
import { accountIdField, userFormIdField, userIdField } from '../../shared/fields';
import { EXAMPLE_UUID } from '../../utils/ids';

export const titleCase = (text: string) => text.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

/** Chosen from a list are records that people know by what they hold, and by which they filter all others. */
const PICKERS: Record<string, INodeProperties | undefined> = {
	user: userIdField,
	userForm: userFormIdField,
	account: accountIdField,
};

/** Names one record, and is `<resource>Id` where it can't be chosen from a list. */
export function idFieldOf(resource: string, { one, eventField }: RecordType): INodeProperties {
	const hint = eventField && `After an Argyle Trigger: {{ $json.data.${eventField} }}`;
	const picker = PICKERS[resource];
	if (picker !== undefined) return { ...picker, hint };
	return {
		displayName: `${titleCase(one)} ID`,
		name: `${resource}Id`,
		type: 'string',
		default: '',
		required: true,
		placeholder: `e.g. ${EXAMPLE_UUID}`,
		hint,
	};
}
