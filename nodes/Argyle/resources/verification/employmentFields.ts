import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { readOptionalText, readRequiredText } from '../../shared/parameters';
import { readDay } from '../../shared/readDate';
import { ArgyleError } from '../../transport/errors';
import { isNothing } from '../../utils/coerce';
import { isDataObject, parseJson } from '../../utils/json';

/** Where the person has worked: what a report from documents is compared with. */
export const employmentsField: INodeProperties = {
	displayName: 'Employments',
	name: 'employments',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Employment' },
	default: {},
	placeholder: 'Add Employment',
	description: 'Where the person has worked, for at least the last 13 months',
	options: [
		{
			displayName: 'Employment',
			name: 'employment',
			values: [
				{
					displayName: 'Employer',
					name: 'employer',
					type: 'string',
					default: '',
					placeholder: 'e.g. Whole Goods',
					description: 'The name of the employer',
				},
				{
					displayName: 'Hire Date',
					name: 'hireDate',
					type: 'dateTime',
					typeOptions: { dateOnly: true },
					default: '',
					description: 'The first day at work',
				},
				{
					displayName: 'Status',
					name: 'status',
					type: 'options',
					default: 'active',
					options: [
						{ name: 'Active', value: 'active' },
						{ name: 'Previous', value: 'previous' },
					],
					description: 'Whether the person still works there',
				},
				{
					displayName: 'Termination Date',
					name: 'terminationDate',
					type: 'dateTime',
					typeOptions: { dateOnly: true },
					default: '',
					description: 'The last day at work',
					displayOptions: { show: { status: ['previous'] } },
				},
			],
		},
	],
};

/** The entries of n8n's collection, or of the list that an expression gives, in Argyle's spelling as well. */
function entriesOf(value: unknown): unknown[] {
	const given = typeof value === 'string' ? parseJson(value) : value;
	const list = isDataObject(given) && 'employment' in given ? given.employment : given;
	if (Array.isArray(list)) return list;
	return isDataObject(list) && Object.keys(list).length > 0 ? [list] : [];
}

function readEmployment(entry: unknown, timeZone: string): IDataObject {
	if (!isDataObject(entry)) {
		throw new ArgyleError(
			'Employments has an entry that is none',
			'Each has an employer, a status and a hire date. Nothing was sent to Argyle.',
		);
	}
	const { employer, status = 'active', hireDate = entry.hire_date, terminationDate = entry.termination_date } = entry;
	const isActive = readOptionalText(status, 'Status').toLowerCase() !== 'previous';
	return {
		employer: readRequiredText(employer, 'Employer', 'the name of the employer'),
		status: isActive ? 'active' : 'previous',
		hire_date: readDay(hireDate, 'Hire Date', timeZone),
		termination_date:
			isActive || isNothing(terminationDate) ? null : readDay(terminationDate, 'Termination Date', timeZone),
	};
}

export const readEmployments = (value: unknown, timeZone: string): IDataObject[] =>
	entriesOf(value).map((entry) => readEmployment(entry, timeZone));
