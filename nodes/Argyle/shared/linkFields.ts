import type { INodeProperties } from 'n8n-workflow';

import { ArgyleError } from '../transport/errors';
import { employersField } from './fields';
import { readOptionalText } from './parameters';

export const templateIdField: INodeProperties = {
	displayName: 'Template ID',
	name: 'templateId',
	type: 'string',
	default: '',
	placeholder: 'e.g. 8ABCD1EF',
	description:
		'The ID of a template for e-mail and SMS, which the Argyle Console has under Flows. Left out, the default of the account is used.',
};

export const linkEmployersField = employersField({
	displayName: 'Employers',
	name: 'employers',
	description:
		'The employers that the person can choose from, those of the template otherwise. With one, the person comes straight to its login.',
});

/**
 * The template's ID, '' when there is none. Throws ArgyleError for the ID of an Item: the two are mixed up easily, and
 * Argyle has no list of templates to choose from.
 */
export function readTemplateId(value: unknown): string {
	const id = readOptionalText(value, 'Template ID');
	if (!id.startsWith('item_')) return id;
	throw new ArgyleError(
		'Template ID is the ID of an Item',
		'Put Items into Employers. The ID of a template is found under Flows in the Argyle Console, such as 8ABCD1EF. Nothing was sent to Argyle.',
	);
}
