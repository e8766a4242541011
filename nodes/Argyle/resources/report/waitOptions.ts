import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { optionsField } from '../../shared/fields';
import { readBoolean, readOptionalText, readPositiveInteger } from '../../shared/parameters';
import { refused } from '../../transport/errors';
import { outputFileField } from '../outputFile';

const MAX_MINUTES = 30;

const waitUntilReadyOption: INodeProperties = {
	displayName: 'Wait Until Ready',
	name: 'waitUntilReady',
	type: 'boolean',
	default: false,
	description:
		'Whether to wait until Argyle has generated the report. The item then comes out with the finished report, or fails and says why. All items wait at the same time. If n8n stops while it waits, run the step again. It then uses a report that is no older than Wait Minutes, unless Argyle has fetched new data since.',
};

const waitMinutesOption: INodeProperties = {
	displayName: 'Wait Minutes',
	name: 'waitMinutes',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_MINUTES },
	default: 10,
	description: `How long to wait at most, up to ${MAX_MINUTES} minutes. Argyle goes on with the report afterwards.`,
};

const downloadOption: INodeProperties = {
	displayName: 'Download',
	name: 'download',
	type: 'boolean',
	default: false,
	description: 'Whether to add the PDF to the item. Needs Wait Until Ready.',
};

export const waitOptions = optionsField([
	downloadOption,
	{ ...outputFileField, required: false },
	waitMinutesOption,
	waitUntilReadyOption,
]);

export interface ReportWait {
	minutes: number;
	/** The output field for the PDF. Undefined if no PDF is wanted. */
	fileField: string | undefined;
}

/** Returns undefined if the item is to come out at once. Throws ArgyleError when an option can't be read. */
export function readWait(context: IExecuteFunctions, itemIndex: number): ReportWait | undefined {
	const {
		waitUntilReady = false,
		waitMinutes = waitMinutesOption.default,
		download = false,
		binaryPropertyName = outputFileField.default,
	} = context.getNodeParameter('options', itemIndex, {});
	const waits = readBoolean(waitUntilReady, waitUntilReadyOption.displayName);
	const downloads = readBoolean(download, downloadOption.displayName);
	if (downloads && !waits) {
		throw refused(
			'Download needs Wait Until Ready',
			'There is no file before the report is generated: turn on Wait Until Ready, or turn off Download.',
		);
	}
	if (!waits) return undefined;
	const minutes = readPositiveInteger(waitMinutes, waitMinutesOption.displayName, `1 to ${MAX_MINUTES}`);
	if (minutes > MAX_MINUTES) {
		throw refused(
			`Wait Minutes is more than ${MAX_MINUTES}`,
			`Enter 1 to ${MAX_MINUTES}; for what takes longer, start a workflow on the event Report Generated.`,
		);
	}
	const { displayName, default: byDefault } = outputFileField;
	const fileField = readOptionalText(binaryPropertyName, displayName) || String(byDefault);
	return { minutes, fileField: downloads ? fileField : undefined };
}
