import type { INodeProperties } from 'n8n-workflow';

import * as reports from '../../api/reports';
import { readMetadata } from '../../shared/userRequest';
import { createMask } from '../../api/sensitiveFields';
import { additionalFields, userIdField } from '../../shared/fields';
import { readChoice, readChosenId } from '../../shared/parameters';
import { type Operation, WRITE_CONCURRENCY } from '../operation';

const typeField: INodeProperties = {
	displayName: 'Report Type',
	name: 'reportType',
	type: 'options',
	options: Object.entries(reports.GENERATED_REPORT_TYPES).map(([value, name]) => ({ name, value })),
	default: 'voie',
	description: 'What the report is to say. Those for mortgages have to be enabled by Argyle.',
};

export const generateReport: Operation = {
	value: 'generate',
	name: 'Generate',
	action: 'Generate a report',
	description:
		'Have Argyle make a report of the connected accounts of a user, ten a day at most. It is there when the event Report Generated comes.',
	effect: 'changes',
	fields: [
		typeField,
		{
			...userIdField,
			description: 'The user whose connected accounts are reported',
			hint: 'After an Argyle Trigger: {{ $json.data.user }}',
		},
		additionalFields([
			{
				displayName: 'Metadata',
				name: 'metadata',
				type: 'json',
				default: '{}',
				description: 'Data of your own, as a JSON object, which the record of the report has then',
			},
		]),
	],
	concurrency: WRITE_CONCURRENCY,
	async execute(context, itemIndex, call) {
		const type = readChoice(
			context.getNodeParameter('reportType', itemIndex),
			'Report Type',
			reports.GENERATED_REPORT_TYPES,
		);
		const user = readChosenId(context, itemIndex, userIdField);
		const { metadata } = context.getNodeParameter('additionalFields', itemIndex, {});
		const body = metadata === undefined ? { user } : { user, metadata: readMetadata(metadata) };
		const client = await call.connect();
		return [{ json: createMask()(await reports.generateReport(client, call.attemptOf, type, body)) }];
	},
};
