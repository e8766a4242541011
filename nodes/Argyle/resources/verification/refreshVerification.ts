import * as verifications from '../../api/verifications';
import { createMask } from '../../api/sensitiveFields';
import { readIdToFind } from '../../shared/idToFind';
import { userIdField } from '../../shared/fields';
import { refused } from '../../transport/errors';
import type { Operation } from '../operation';
import { BANKING_FIELDS, LOAN_FIELDS } from './orderFields';
import { orderFields, readOrder, reportTypeField } from './orderVerification';

const FIELDS = [...LOAN_FIELDS, ...BANKING_FIELDS];

export const refreshVerification: Operation = {
	value: 'refresh',
	name: 'Refresh',
	action: 'Refresh a verification',
	description:
		'Order a new report from what is connected or uploaded. Each run is billed. The person has nothing to do.',
	effect: 'orders',
	fields: [
		{ ...userIdField, description: 'The user whose income or employment is to be verified' },
		reportTypeField(
			Object.keys(verifications.REPORT_TYPES).filter((type) => verifications.REPORT_TYPES[type].canBeRefreshed),
		),
		orderFields,
	],
	async execute(context, itemIndex, call) {
		const findUser = readIdToFind(context, itemIndex, userIdField);
		const order = readOrder(context, itemIndex, FIELDS);
		const { name, canBeRefreshed } = verifications.REPORT_TYPES[order.report.type];
		if (!canBeRefreshed) {
			throw refused(`${name} can't be refreshed`, 'Order a new verification with Verification: Order.');
		}
		const client = await call.connect();
		const request = { user: await findUser(client), ...order };
		return [{ json: createMask()(await verifications.order(client, call.attemptOf, request, verifications.REFRESH)) }];
	},
};
