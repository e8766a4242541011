import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { InviteAddresses } from '../../api/invites';
import * as sessions from '../../api/sessions';
import { readEmailAddress } from '../../shared/addresses';
import { readIdToFind } from '../../shared/idToFind';
import { readItemIds } from '../../shared/employerIds';
import { additionalFields, textField, userIdField } from '../../shared/fields';
import { linkEmployersField, readTemplateId, templateIdField } from '../../shared/linkFields';
import { recipientFields } from '../../shared/recipientFields';
import { inviteEach } from '../invite/inviteEach';
import type { Operation } from '../operation';

function readRequest(context: IExecuteFunctions, itemIndex: number, addresses: InviteAddresses) {
	const findUser = readIdToFind(context, itemIndex, userIdField);
	const { templateId, employers, replyTo } = context.getNodeParameter('additionalFields', itemIndex, {});
	const template = readTemplateId(templateId);
	const items = readItemIds(employers, 'Employers');
	const answers = readEmailAddress(replyTo, 'Reply To');
	const more: IDataObject = {};
	if (template !== '') more.flow_id = template;
	if (items.length > 0) more.items = items;
	if (answers !== '') more.reply_to = answers;
	return { findUser, configuration: { ...addresses, ...more } };
}

export const sendSessionInvite: Operation = {
	value: 'sendInvite',
	name: 'Send Invite',
	action: 'Send a verification invite',
	description: 'Write to a user with an ordered verification. All items are checked first. Another run writes again.',
	effect: 'writesToPeople',
	fields: [
		{
			...userIdField,
			description:
				'The user, who must have a name and a verification that is not finished. The link works for 180 days.',
		},
		...recipientFields,
		additionalFields([
			linkEmployersField,
			textField('Reply To', 'replyTo', 'e.g. team@example.com', 'The address that the person answers to'),
			templateIdField,
		]),
	],
	prepare: async (context) =>
		await inviteEach(context, {
			read: (itemIndex, addresses) => readRequest(context, itemIndex, addresses),
			look: async (call, { findUser }) => await findUser(await call.connect()),
			adviceAfterLook: 'Correct the External IDs, or choose the users By ID.',
			async send(client, { attemptOf }, { findUser, configuration }) {
				const user = await findUser(client);
				return { record: await sessions.sendSessionInvite(client, attemptOf, { type: 'invite', user, configuration }) };
			},
			again: 'Leave them out when you run this again.',
		}),
};
