import { resendInvite } from '../../api/invites';
import { inviteIdField } from '../../shared/fields';
import { connect } from '../../transport/client';
import { type Operation, WRITE_CONCURRENCY } from '../operation';
import { readInviteId, toInviteItems } from './inviteOutput';

export const resend: Operation = {
	value: 'resend',
	name: 'Resend',
	action: 'Resend an invite',
	description: 'Send an invite once more. The person gets another message, with the same link.',
	effect: 'writesToPeople',
	fields: [{ ...inviteIdField, description: 'The invite to send again' }],
	concurrency: WRITE_CONCURRENCY,
	async execute(context, itemIndex, call) {
		const id = readInviteId(context, itemIndex);
		const client = await connect(context, { itemIndex, ...call });
		return toInviteItems(context, [await resendInvite(client, call.attemptOf, id)]);
	},
};
