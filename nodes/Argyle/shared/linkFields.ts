import type { INodeProperties } from 'n8n-workflow';

import { ArgyleError } from '../transport/errors';
import { readOptionalText, readTexts } from './parameters';

export const templateIdField: INodeProperties = {
	displayName: 'Template ID',
	name: 'templateId',
	type: 'string',
	default: '',
	placeholder: 'e.g. 8ABCD1EF',
	description:
		'The ID of an Email/SMS Template, from Flows in the Argyle Console. Left out, the default of the account is used.',
};

export const employersField: INodeProperties = {
	displayName: 'Employers',
	name: 'employers',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Employer' },
	default: [],
	placeholder: 'e.g. item_000041078',
	description:
		'The Item IDs of the employers that the person can choose from. With one, the person comes straight to its login.',
};

/** Flows and Items are mixed up easily, and Argyle lists no flows. '' when there is none. Throws ArgyleError for an Item's ID. */
export function readTemplateId(value: unknown): string {
	const id = readOptionalText(value, 'Template ID');
	if (!id.startsWith('item_')) return id;
	throw new ArgyleError(
		'Template ID is the ID of an Item',
		'Put Items into Employers. The ID of a template is found under Flows in the Argyle Console, such as 8ABCD1EF. Nothing was sent to Argyle.',
	);
}

/** Throws ArgyleError for what is no Item's ID. */
export function readEmployers(value: unknown): string[] {
	const items = readTexts(value, 'Employers');
	const wrong = items.find((item) => !item.startsWith('item_'));
	if (wrong === undefined) return items;
	throw new ArgyleError(
		`Employers has "${wrong.slice(0, 50)}", which is not the ID of an Item`,
		'Such an ID begins with item_ and is found with Employer: Search. Nothing was sent to Argyle.',
	);
}
