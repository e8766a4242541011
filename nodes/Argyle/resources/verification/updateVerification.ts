import * as verifications from '../../api/verifications';
import { createMask } from '../../api/sensitiveFields';
import { updateFields, verificationIdField } from '../../shared/fields';
import { readChosenId, readId } from '../../shared/parameters';
import { refused } from '../../transport/errors';
import type { Operation } from '../operation';
import { employmentsField, readEmployments } from './employmentFields';
import { LOAN_FIELDS, readOrderFields, shownFields } from './orderFields';

export const updateVerification: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update a verification',
	description: 'Change the loan, the cost center or the employments of a verification',
	effect: 'overwrites',
	fields: [
		verificationIdField,
		updateFields([
			{
				...employmentsField,
				description: 'These replace all that were given before. Only a paused verification from documents takes them.',
			},
			...shownFields(LOAN_FIELDS),
		]),
	],
	async execute(context, itemIndex, call) {
		const id = readChosenId(context, itemIndex, verificationIdField, readId);
		const body = readOrderFields(context, itemIndex, LOAN_FIELDS, 'updateFields');
		const { employments: entered } = context.getNodeParameter('updateFields', itemIndex, {});
		const employments = readEmployments(entered, context.getTimezone());
		if (employments.length > 0) body.employments = employments;
		if (Object.keys(body).length === 0) {
			throw refused('There is nothing to update', 'Add at least one of Update Fields.');
		}
		const client = await call.connect();
		return [{ json: createMask()(await verifications.updateVerification(client, call.attemptOf, id, body)) }];
	},
};
