import * as invites from '../../api/invites';
import { inviteIdField } from '../../shared/fields';
import type { Operation } from '../operation';
import { readInviteId, toInviteItems } from './inviteOutput';

export const revokeInvite: Operation = {
	value: 'revoke',
	name: 'Revoke',
	action: 'Revoke an invite',
	description:
		'Close the link of an invite for good. Nobody is told. Whoever opens the link reads that it has expired.',
	effect: 'endsForGood',
	fields: [{ ...inviteIdField, description: 'The invite whose link is to be closed' }],
	async execute(context, itemIndex, call) {
		const id = readInviteId(context, itemIndex);
		const client = await call.connect();
		return toInviteItems(context, [await invites.revokeInvite(client, call.attemptOf, id)]);
	},
};
