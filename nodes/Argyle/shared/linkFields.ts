import { refused } from '../transport/errors';
import { employersField, textField } from './fields';
import { readOptionalText } from './parameters';

export const templateIdField = textField(
	'Template ID',
	'templateId',
	'e.g. 8ABCD1EF',
	'The ID of a template, from Flows in the Argyle Console. A message takes an Email/SMS Template, a link takes an Embedded Experience. If this is empty, Argyle uses the default of your account.',
);

export const linkEmployersField = employersField({
	displayName: 'Employers',
	name: 'employers',
	description:
		'The only employers that the person can choose from. With only one, the person starts at its login. If this is empty, the template decides.',
});

/**
 * Returns the template's ID, or '' when there is none. Throws ArgyleError for the ID of an Item. People mix up these
 * two kinds of IDs, and Argyle has no list of templates to choose from.
 */
export function readTemplateId(value: unknown): string {
	const id = readOptionalText(value, 'Template ID');
	if (!id.startsWith('item_')) return id;
	throw refused(
		'Template ID is the ID of an Item',
		'Put Items into Employers. A template has an ID such as 8ABCD1EF, which you find under Flows in the Argyle Console.',
	);
}
