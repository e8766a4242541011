import type { INodeProperties } from 'n8n-workflow';

import { downloadFile } from '../../api/files';
import { RECORD_TYPES } from '../../api/recordTypes';
import * as reports from '../../api/reports';
import { waitForReport } from '../../api/waitForReport';
import { createMask } from '../../api/sensitiveFields';
import { readIdToFind } from '../../shared/idToFind';
import { additionalFields, userIdField } from '../../shared/fields';
import { readChoice } from '../../shared/parameters';
import { Semaphore } from '../../utils/concurrency';
import type { Operation } from '../operation';
import { fileItem } from '../outputFile';
import { DOWNLOAD_CONCURRENCY } from '../records/downloadFile';
import { readMetadata } from '../user/userFields';
import { readWait, waitFields } from './waitFields';

const MINUTE_MS = 60_000;

const downloads = new Semaphore(DOWNLOAD_CONCURRENCY);

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
	description: "Have Argyle make a report of a user's connected accounts, ten a day at most. The node can wait for it.",
	effect: 'changes',
	fields: [
		typeField,
		{
			...userIdField,
			description: 'The user whose connected accounts are reported',
			hint: 'After an Argyle Trigger: {{ $json.data.user }}',
		},
		...waitFields,
		additionalFields([
			{
				displayName: 'Metadata',
				name: 'metadata',
				type: 'json',
				default: '{}',
				description: 'Data of your own, as a JSON object, to be kept in the record of the report',
			},
		]),
	],
	async execute(context, itemIndex, call) {
		const chosen = context.getNodeParameter(typeField.name, itemIndex);
		const type = readChoice(chosen, typeField.displayName, reports.GENERATED_REPORT_TYPES);
		const findUser = readIdToFind(context, itemIndex, userIdField);
		const metadata = readMetadata(context.getNodeParameter('additionalFields', itemIndex, {}).metadata);
		const wait = readWait(context, itemIndex);
		const client = await call.connect();
		const body = { user: await findUser(client), ...(metadata && { metadata }) };
		const current = wait && (await reports.findCurrentReport(client, type, body, wait.minutes * MINUTE_MS));
		const report = current ?? (await reports.generateReport(client, call.attemptOf, type, body));
		return [{ json: createMask()(report) }];
	},
	async finish(context, itemIndex, [item], call) {
		const wait = readWait(context, itemIndex);
		if (wait === undefined) return [item];
		const client = await call.connect();
		const json = createMask()(await waitForReport(client, item.json, wait.minutes));
		const { fileField } = wait;
		if (fileField === undefined) return [{ json }];
		return await downloads.run(async () => {
			return await downloadFile(client, RECORD_TYPES.report, String(json.id), 'file_url', async (incoming) => {
				const file = await context.helpers.prepareBinaryData(incoming.bytes, incoming.fileName, incoming.mimeType);
				return [fileItem(context, fileField, file, json)];
			});
		});
	},
};
