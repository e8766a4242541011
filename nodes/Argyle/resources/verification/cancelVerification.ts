import * as verifications from '../../api/verifications';
import { createMask } from '../../api/sensitiveFields';
import { verificationIdField } from '../../shared/fields';
import { readChosenId, readId } from '../../shared/parameters';
import type { Operation } from '../operation';

export const cancelVerification: Operation = {
	value: 'cancel',
	name: 'Cancel',
	action: 'Cancel a verification',
	description:
		'Withdraw a verification for good. Argyle cancels only a paused one; if it is pending, revoke the invite.',
	effect: 'endsForGood',
	fields: [verificationIdField],
	async execute(context, itemIndex, call) {
		const id = readChosenId(context, itemIndex, verificationIdField, readId);
		const client = await call.connect();
		return [{ json: createMask()(await verifications.cancelVerification(client, call.attemptOf, id)) }];
	},
};
