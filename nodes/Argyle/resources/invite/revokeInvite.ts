import * as invites from '../../api/invites';
import { createMask } from '../../api/sensitiveFields';
import { inviteIdField } from '../../shared/fields';
import { readChosenId, readId } from '../../shared/parameters';
import type { Operation } from '../operation';

export const revokeInvite: Operation = {
	value: 'revoke',
	name: 'Revoke',
	action: 'Revoke an invite',
	description:
		'Close the link of an invite for good. Nobody is told. Whoever opens the link reads that it has expired.',
	effect: 'endsForGood',
	fields: [inviteIdField],
	async execute(context, itemIndex, call) {
		const id = readChosenId(context, itemIndex, inviteIdField, readId);
		const client = await call.connect();
		return [{ json: createMask()(await invites.revokeInvite(client, call.attemptOf, id)) }];
	},
};
