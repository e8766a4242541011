import * as invites from '../../api/invites';
import { inviteIdField } from '../../shared/fields';
import { readId } from '../../shared/parameters';
import { actionOn } from '../records/actionOn';

export const revokeInvite = actionOn(inviteIdField, {
	value: 'revoke',
	name: 'Revoke',
	action: 'Revoke an invite',
	description:
		'Close the link of an invite for good. Nobody is told. Whoever opens the link reads that it has expired.',
	effect: 'endsForGood',
	read: readId,
	act: invites.revokeInvite,
});
