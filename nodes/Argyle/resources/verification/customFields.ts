import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { textField } from '../../shared/fields';
import { readBoolean, readOptionalText, readRequiredText } from '../../shared/parameters';
import { refused } from '../../transport/errors';
import { isDataObject } from '../../utils/json';

/** How many fields a report takes (Argyle's OpenAPI file 1.0.111). */
const MAX_FIELDS = 5;

/** A field for texts of one's own, which a report from bank accounts shows beside its data. */
export const customFieldsField: INodeProperties = {
	displayName: 'Custom Fields',
	name: 'customFields',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Custom Field' },
	default: {},
	placeholder: 'Add Custom Field',
	description: `Up to ${MAX_FIELDS} fields of your own that the report has, such as the number of your file`,
	options: [
		{
			displayName: 'Custom Field',
			name: 'field',
			values: [
				textField('Label', 'label', 'e.g. File Number', 'What the field is called in the report'),
				{
					displayName: 'Show in PDF',
					name: 'shown',
					type: 'boolean',
					default: true,
					description: 'Whether the PDF has the field, too, and not only the JSON',
				},
				textField('Value', 'value', 'e.g. 4711', 'What the report says there'),
			],
		},
	],
};

const entriesOf = (value: unknown): unknown[] => (isDataObject(value) && Array.isArray(value.field) ? value.field : []);

function readField(entry: unknown): IDataObject {
	const { label, value, shown = true } = isDataObject(entry) ? entry : {};
	return {
		label: readRequiredText(label, 'Label', 'what the custom field is called'),
		value: readOptionalText(value, 'Value'),
		shown: readBoolean(shown, 'Show in PDF'),
	};
}

/**
 * Returns undefined if there are no custom fields. Throws ArgyleError when one can't be read, or when there are too
 * many.
 */
export function readCustomFields(value: unknown): IDataObject[] | undefined {
	const fields = entriesOf(value).map(readField);
	if (fields.length <= MAX_FIELDS) return fields.length === 0 ? undefined : fields;
	throw refused(`There are ${fields.length} Custom Fields`, `A report takes ${MAX_FIELDS}. Remove the others.`);
}
