import * as invites from '../../api/invites';
import { inviteIdField } from '../../shared/fields';
import { readId } from '../../shared/parameters';
import { actionOn } from '../records/actionOn';
import { showHintOnce } from '../records/recordOutput';

/** No public source says whether Argyle sends a revoked invite, or makes its link work again. */
const STILL_REVOKED =
	'An invite that was revoked is still revoked after it was sent again, so its link may not open. Use Invite: Send for a new one.';

export const resendInvite = actionOn(inviteIdField, {
	value: 'resend',
	name: 'Resend',
	action: 'Resend an invite',
	description: 'Send an invite once more. The person gets another message, with the same link.',
	effect: 'writesToPeople',
	read: readId,
	async act(client, attemptOf, id, context) {
		const invite = await invites.resendInvite(client, attemptOf, id);
		if (invite.status === 'revoked') showHintOnce(context, STILL_REVOKED);
		return invite;
	},
});
