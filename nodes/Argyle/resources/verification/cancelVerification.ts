import * as verifications from '../../api/verifications';
import { verificationIdField } from '../../shared/fields';
import { readId } from '../../shared/parameters';
import { actionOn } from '../records/actionOn';

export const cancelVerification = actionOn(verificationIdField, {
	value: 'cancel',
	name: 'Cancel',
	action: 'Cancel a verification',
	description:
		'Withdraw a verification for good. Argyle cancels only a paused one; if it is pending, revoke the invite.',
	effect: 'endsForGood',
	read: readId,
	act: verifications.cancelVerification,
});
