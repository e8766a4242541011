import * as invites from '../../api/invites';
import { createMask } from '../../api/sensitiveFields';
import { inviteIdField } from '../../shared/fields';
import { readChosenId, readId } from '../../shared/parameters';
import type { Operation } from '../operation';
import { showHintOnce } from '../records/recordOutput';

/** No public source says whether Argyle sends a revoked invite, or makes its link work again. */
const STILL_REVOKED =
	'An invite that was revoked is still revoked after it was sent again, so its link may not open. Use Invite: Send for a new one.';

export const resendInvite: Operation = {
	value: 'resend',
	name: 'Resend',
	action: 'Resend an invite',
	description: 'Send an invite once more. The person gets another message, with the same link.',
	effect: 'writesToPeople',
	fields: [inviteIdField],
	async execute(context, itemIndex, call) {
		const id = readChosenId(context, itemIndex, inviteIdField, readId);
		const client = await call.connect();
		const invite = await invites.resendInvite(client, call.attemptOf, id);
		if (invite.status === 'revoked') showHintOnce(context, STILL_REVOKED);
		return [{ json: createMask()(invite) }];
	},
};
