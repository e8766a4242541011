import * as verifications from '../../api/verifications';
import { verificationIdField } from '../../shared/fields';
import type { Operation } from '../operation';
import { readVerificationId, toVerificationItems } from './verificationOutput';

export const cancelVerification: Operation = {
	value: 'cancel',
	name: 'Cancel',
	action: 'Cancel a verification',
	description:
		'Withdraw a verification for good. Argyle cancels only one that is paused; for one that is pending, revoke the invite.',
	effect: 'endsForGood',
	fields: [{ ...verificationIdField, description: 'The verification to cancel' }],
	async execute(context, itemIndex, call) {
		const id = readVerificationId(context, itemIndex);
		const client = await call.connect();
		return toVerificationItems(context, await verifications.cancelVerification(client, call.attemptOf, id));
	},
};
