import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { textField } from '../../shared/fields';
import { readChoice, readRequiredText } from '../../shared/parameters';
import { assertInOrder, readDay } from '../../shared/readDate';
import { refused } from '../../transport/errors';
import { isNothing } from '../../utils/coerce';
import { isDataObject, parseJson } from '../../utils/json';

/** A field for where the person has worked. Argyle compares the documents with what is entered. */
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
				textField('Employer', 'employer', 'e.g. Whole Goods', 'The name of the employer'),
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
					description:
						"Whether the person still works there. An expression may also give Argyle's inactive or terminated.",
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

/**
 * Maps each word for a status to the one that an order takes. The words come from people, or from Argyle's employments
 * and identities. An inactive employee may only be on leave, and have no last day. Then the order is refused, because a
 * previous employment needs a last day.
 */
const STATUSES: Record<string, 'active' | 'previous'> = {
	active: 'active',
	previous: 'previous',
	inactive: 'previous',
	terminated: 'previous',
};
const STATUS_NAMES = Object.fromEntries(Object.keys(STATUSES).map((status) => [status, status]));

/**
 * Returns the entries of n8n's collection, or of the list that an expression gives. In such a list, the keys may be in
 * Argyle's spelling.
 */
function entriesOf(value: unknown): unknown[] {
	const given = typeof value === 'string' ? parseJson(value) : value;
	const list = isDataObject(given) && 'employment' in given ? given.employment : given;
	if (Array.isArray(list)) return list;
	return isDataObject(list) && Object.keys(list).length > 0 ? [list] : [];
}

/** `day` completes "Enter …". */
function readRequiredDay(value: unknown, fieldName: string, day: string, timeZone: string): string {
	if (!isNothing(value)) return readDay(value, fieldName, timeZone);
	throw refused(`${fieldName} is missing`, `Enter ${day}.`);
}

function readEmployment(entry: unknown, timeZone: string): IDataObject {
	if (!isDataObject(entry)) {
		throw refused('Employments has an entry that is no employment', 'Each has an employer, a status and a hire date.');
	}
	const { hireDate = entry.hire_date, terminationDate = entry.termination_date } = entry;
	const employer = readRequiredText(entry.employer, 'Employer', 'the name of the employer');
	const status = STATUSES[readChoice(entry.status, 'Status', STATUS_NAMES)];
	const employment = {
		employer,
		status,
		hire_date: readRequiredDay(hireDate, 'Hire Date', `the first day at ${employer}`, timeZone),
	};
	if (status === 'previous') {
		const lastDay = `the last day at ${employer}, or set Status to active if the person is on leave`;
		const ended = readRequiredDay(terminationDate, 'Termination Date', lastDay, timeZone);
		assertInOrder(['Hire Date', employment.hire_date], ['Termination Date', ended]);
		return { ...employment, termination_date: ended };
	}
	if (isNothing(terminationDate)) return { ...employment, termination_date: null };
	throw refused(
		`The employment at ${employer} is active, and has a Termination Date`,
		'Set its Status to previous if the person no longer works there, else remove the date.',
	);
}

export const readEmployments = (value: unknown, timeZone: string): IDataObject[] =>
	entriesOf(value).map((entry) => readEmployment(entry, timeZone));
