import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import * as verifications from '../../api/verifications';
import { createMask } from '../../api/sensitiveFields';
import { readIdToFind } from '../../shared/idToFind';
import { additionalFields, userIdField } from '../../shared/fields';
import { readText } from '../../shared/parameters';
import { refused } from '../../transport/errors';
import { shortened } from '../../utils/coerce';
import { isDataObject } from '../../utils/json';
import type { Operation } from '../operation';
import { employmentsField, readEmployments } from './employmentFields';
import {
	BANKING_FIELDS,
	LOAN_FIELDS,
	ORDER_FIELDS,
	type OrderField,
	readOrderFields,
	shownFields,
} from './orderFields';

export const reportTypeField = (types: string[]): INodeProperties => ({
	displayName: 'Report Type',
	name: 'reportType',
	type: 'options',
	default: 'voie',
	options: types
		.map((value) => ({ name: verifications.REPORT_TYPES[value].name, value }))
		.sort((one, other) => one.name.localeCompare(other.name)),
	description:
		'What the report says, and where its data come from. For payroll, the user needs no fields. For bank accounts, the user needs a name, an address, a phone number, and a birth date or social security number. For documents, the user needs a name and a social security number.',
});

const FIELDS = [...LOAN_FIELDS, ...BANKING_FIELDS, ...ORDER_FIELDS];

/** Order and Refresh have it in common, so the node has it once. It shows each of them what it takes. */
export const orderFields = additionalFields(shownFields(FIELDS));

export function readOrder(context: IExecuteFunctions, itemIndex: number, fields: OrderField[]): verifications.Order {
	const type = readText(context.getNodeParameter('reportType', itemIndex, 'voie'), 'Report Type').toLowerCase();
	if (!Object.hasOwn(verifications.REPORT_TYPES, type)) {
		throw refused(
			`There is no report type "${shortened(type)}" of verifications`,
			`The report types are ${Object.keys(verifications.REPORT_TYPES).join(', ')}.`,
		);
	}
	const { report, ...rest } = readOrderFields(context, itemIndex, fields, 'additionalFields', type);
	return { report: { type, ...(isDataObject(report) ? report : {}) }, ...rest };
}

function withEmployments(
	context: IExecuteFunctions,
	itemIndex: number,
	order: verifications.Order,
): verifications.Order {
	if (verifications.REPORT_TYPES[order.report.type].source !== 'documents') return order;
	const entered = context.getNodeParameter(employmentsField.name, itemIndex, {});
	const employments = readEmployments(entered, context.getTimezone());
	if (employments.length > 0) return { ...order, employments };
	throw refused(
		'Employments is empty',
		'A report from documents needs to know where the person has worked. Add at least one.',
	);
}

export const orderVerification: Operation = {
	value: 'order',
	name: 'Order',
	action: 'Order a verification',
	description:
		'Order a report about a user. Each run is billed. Then send the person a link (Session), or upload documents.',
	effect: 'orders',
	fields: [
		{ ...userIdField, description: 'The user whose income or employment is to be verified' },
		reportTypeField(Object.keys(verifications.REPORT_TYPES)),
		{ ...employmentsField, displayOptions: { show: { reportType: ['doc-voi-mortgage'] } } },
		orderFields,
	],
	async execute(context, itemIndex, call) {
		const findUser = readIdToFind(context, itemIndex, userIdField);
		const order = withEmployments(context, itemIndex, readOrder(context, itemIndex, FIELDS));
		const client = await call.connect();
		const request = { user: await findUser(client), ...order };
		return [{ json: createMask()(await verifications.order(client, call.attemptOf, request, verifications.ORDER)) }];
	},
};
