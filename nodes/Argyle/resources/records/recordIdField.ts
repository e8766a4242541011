import type { INodeProperties } from 'n8n-workflow';

import { type RecordType, titleCase } from '../../api/recordTypes';
import {
	accountIdField,
	resourceLocator,
	userFormIdField,
	userIdField,
	verificationIdField,
} from '../../shared/fields';
import { EXAMPLE_UUID } from '../../utils/ids';

/** The ID fields that other operations use too. */
const PICKERS: Record<string, INodeProperties | undefined> = {
	user: userIdField,
	userForm: userFormIdField,
	account: accountIdField,
	verification: verificationIdField,
};

/**
 * The methods that search the lists of other record types. A type whose records nobody would recognize in a list has
 * none.
 */
const SEARCHES: Record<string, string | undefined> = {
	payrollDocument: 'searchPayrollDocuments',
	report: 'searchReports',
	userUpload: 'searchUserUploads',
};

/** Returns the field in which people name one record. The field has the name `<resource>Id`. */
export function idFieldOf(resource: string, { one, eventField }: RecordType): INodeProperties {
	const hint = eventField && `After an Argyle Trigger: {{ $json.data.${eventField} }}`;
	const picker = PICKERS[resource];
	if (picker !== undefined) return { ...picker, hint };
	const name = `${resource}Id`;
	const search = SEARCHES[resource];
	if (search !== undefined) return { ...resourceLocator(titleCase(one), name, search), hint };
	return {
		displayName: `${titleCase(one)} ID`,
		name,
		type: 'string',
		default: '',
		required: true,
		placeholder: `e.g. ${EXAMPLE_UUID}`,
		description: `The ${one} that the operation is for`,
		hint,
	};
}
