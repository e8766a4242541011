import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { readChoice, readPositiveInteger } from '../../shared/parameters';
import { refused } from '../../transport/errors';
import { outputFileField, readOutputFileField } from '../outputFile';

const MAX_MINUTES = 30;

const CHOICES = { generate: 'Only Generate', wait: 'Wait', waitAndDownload: 'Wait and Download' };

const andThenField: INodeProperties = {
	displayName: 'Then',
	name: 'andThen',
	type: 'options',
	options: [
		{
			name: CHOICES.generate,
			value: 'generate',
			description: 'The item comes out at once. The report is there when the event Report Generated comes.',
		},
		{ name: CHOICES.wait, value: 'wait', description: 'The finished report comes out, or the item says why not' },
		{
			name: CHOICES.waitAndDownload,
			value: 'waitAndDownload',
			description: 'The finished report comes out with its PDF, or the item says why not',
		},
	],
	default: 'generate',
	description:
		'Whether to wait until Argyle has generated the report. All items wait at the same time. If n8n stops while it waits, run the step again. It then uses a report that is no older than Wait Minutes, unless Argyle has fetched new data since.',
};

const shownWith = (...choices: Array<keyof typeof CHOICES>) => ({
	displayOptions: { show: { [andThenField.name]: choices } },
});

const waitMinutesField: INodeProperties = {
	displayName: 'Wait Minutes',
	name: 'waitMinutes',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_MINUTES },
	default: 10,
	description: `How long to wait at most, up to ${MAX_MINUTES} minutes. Argyle goes on with the report afterwards.`,
	...shownWith('wait', 'waitAndDownload'),
};

export const waitFields = [andThenField, waitMinutesField, { ...outputFileField, ...shownWith('waitAndDownload') }];

export interface ReportWait {
	minutes: number;
	/** The output field for the PDF. Undefined if no PDF is wanted. */
	fileField: string | undefined;
}

/** Returns undefined if the item is to come out at once. Throws ArgyleError when a field can't be read. */
export function readWait(context: IExecuteFunctions, itemIndex: number): ReportWait | undefined {
	const chosen = context.getNodeParameter(andThenField.name, itemIndex, andThenField.default);
	const choice = readChoice(chosen, andThenField.displayName, CHOICES);
	if (choice === 'generate') return undefined;
	const { name, displayName, default: byDefault } = waitMinutesField;
	const value = context.getNodeParameter(name, itemIndex, byDefault);
	const minutes = readPositiveInteger(value, displayName, `1 to ${MAX_MINUTES}`);
	if (minutes > MAX_MINUTES) {
		throw refused(
			`Wait Minutes is more than ${MAX_MINUTES}`,
			`Enter 1 to ${MAX_MINUTES}; for what takes longer, start a workflow on the event Report Generated.`,
		);
	}
	return { minutes, fileField: choice === 'wait' ? undefined : readOutputFileField(context, itemIndex) };
}
