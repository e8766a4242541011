import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { connectableItems, employersLike } from '../../api/employers';
import { listRecords, MAX_PAGE_SIZE } from '../../api/pagination';
import { filtersField, returnAllFields } from '../../shared/fields';
import { onlyOne, readLimit, readRequiredText } from '../../shared/parameters';
import { readFilterValues } from '../../shared/readFilterValues';
import { refused } from '../../transport/errors';
import { shortened, unquoted } from '../../utils/coerce';
import type { Operation } from '../operation';
import { showHintOnce, toItems } from '../records/recordOutput';

interface EmployerFilter {
	/** Argyle's name of the filter. */
	query: string;
	displayName: string;
	choices: Record<string, string>;
	description: string;
	/** Whether people can choose several values. Choosing none means any. */
	takesSeveral: boolean;
}

/** The filters by the names that saved workflows hold. */
const FILTERS: Record<string, EmployerFilter> = {
	kind: {
		query: 'kind',
		displayName: 'Kind',
		choices: { benefits: 'Benefits', employer: 'Employer', gig: 'Gig', platform: 'Platform' },
		description: 'Only employers and platforms of this kind',
		takesSeveral: false,
	},
	mappingStatus: {
		query: 'mapping_status',
		displayName: 'Mapping Status',
		choices: { mapped: 'Mapped', unmapped: 'Unmapped', verified: 'Verified' },
		description:
			'Only employers with one of these statuses, which say whether Argyle knows their payroll system. Unmapped ones can be connected too: then the person is asked for the payroll system.',
		takesSeveral: true,
	},
	status: {
		query: 'status',
		displayName: 'Status',
		choices: { healthy: 'Healthy', issues: 'Issues', unavailable: 'Unavailable' },
		description: 'Only those in one of these states. Healthy and Issues take new connections.',
		takesSeveral: true,
	},
};

function filterField([name, filter]: [string, EmployerFilter]): INodeProperties {
	const { displayName, choices, description, takesSeveral } = filter;
	const options = Object.entries(choices).map(([value, title]) => ({ name: title, value }));
	const type = takesSeveral ? 'multiOptions' : 'options';
	return { displayName, name, description, type, default: takesSeveral ? [] : options[0].value, options };
}

const FILTER_FIELDS = Object.entries(FILTERS).map(filterField);

/** Splits what was chosen. An expression may give a list, or one text with commas. */
function valuesOf(value: unknown): string[] {
	const texts = [value].flat().flatMap((entry) => String(entry ?? '').split(','));
	return texts.map((text) => unquoted(text).toLowerCase()).filter((text) => text !== '');
}

function readFilters(values: IDataObject): IDataObject {
	const query: IDataObject = {};
	for (const [name, { query: key, displayName, choices, takesSeveral }] of Object.entries(FILTERS)) {
		const chosen = valuesOf(values[name]);
		const unknown = chosen.find((value) => !Object.hasOwn(choices, value));
		if (unknown !== undefined) {
			throw refused(
				`The filter ${displayName} can't be "${shortened(unknown)}"`,
				`Choose from the list, or let its expression give one of ${Object.keys(choices).join(', ')}.`,
			);
		}
		if (chosen.length > 0) query[key] = takesSeveral ? chosen.join(',') : onlyOne(chosen, displayName);
	}
	return query;
}

const textField: INodeProperties = {
	displayName: 'Search Text',
	name: 'searchText',
	type: 'string',
	default: '',
	placeholder: 'e.g. Harbour Taxi',
	description:
		'The name of the employer, or part of it. Misspelled names are found too; the best match comes first. If this is empty, all employers that match the filters come out.',
	hint: 'After an Argyle Trigger for forms: {{ $json.userForm.data.income_source }}',
};

/**
 * Returns '' if a person left the field empty. An expression that gives nothing is refused, because it does not mean
 * that all employers are wanted.
 */
function readSearchText(context: IExecuteFunctions, itemIndex: number): string {
	const { name, displayName } = textField;
	if (context.getNodeParameter(name, itemIndex, '', { rawExpressions: true }) === '') return '';
	const text: unknown = context.getNodeParameter(name, itemIndex);
	return readRequiredText(text, displayName, 'the name of an employer, or part of it');
}

/**
 * The recorded answers of Argyle's search never link to a next page, so nobody can tell whether it knows more
 * employers.
 */
const MAYBE_MORE = `Argyle's search gave ${MAX_PAGE_SIZE} employers, and may know more. To find the others, enter more of the name, or add a filter.`;

export const searchEmployer: Operation = {
	value: 'search',
	name: 'Search',
	action: 'Search employers',
	description: 'Find out whether Argyle supports an employer or platform, and get its ID',
	effect: 'reads',
	fields: [textField, ...returnAllFields, filtersField(FILTER_FIELDS)],
	async execute(context, itemIndex, call) {
		const text = readSearchText(context, itemIndex);
		const limit = readLimit(context, itemIndex);
		const filters = readFilters(readFilterValues(context, itemIndex, FILTER_FIELDS));
		const client = await call.connect();
		const list = text === '' ? connectableItems(filters) : employersLike(text, filters);
		const records = await listRecords(client, list, limit);
		if (text !== '' && limit > MAX_PAGE_SIZE && records.length === MAX_PAGE_SIZE) showHintOnce(context, MAYBE_MORE);
		return toItems(records);
	},
};
