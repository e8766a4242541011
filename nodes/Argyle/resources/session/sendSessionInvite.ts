import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import * as sessions from '../../api/sessions';
import { readEmailAddress } from '../../shared/addresses';
import { readIdToFind } from '../../shared/chosenId';
import { readItemIds } from '../../shared/employerIds';
import { additionalFields, textField, userIdField } from '../../shared/fields';
import { linkEmployersField, readTemplateId, templateIdField } from '../../shared/linkFields';
import { recipientFields, testRecipientField } from '../../shared/recipientFields';
import { inviteEach, type Recipient } from '../invite/inviteList';
import type { Operation } from '../operation';

function readRequest(context: IExecuteFunctions, itemIndex: number, { addresses, test }: Recipient) {
	const findUser = readIdToFind(context, itemIndex, userIdField);
	const { templateId, employers, replyTo } = context.getNodeParameter('additionalFields', itemIndex, {});
	const template = readTemplateId(templateId);
	const items = readItemIds(employers, 'Employers');
	const answers = readEmailAddress(replyTo, 'Reply To');
	const more: IDataObject = {};
	if (template !== '') more.flow_id = template;
	if (items.length > 0) more.items = items;
	if (answers !== '') more.reply_to = answers;
	return { findUser, configuration: { ...(test ?? addresses), ...more } };
}

export const sendSessionInvite: Operation = {
	value: 'sendInvite',
	name: 'Send Invite',
	action: 'Send a verification invite',
	description:
		'Write to a user for whom a verification was ordered, with a link that works for 180 days. All items are checked before the first message. An execution that is run again writes to the same people again.',
	effect: 'writesToPeople',
	fields: [
		{ ...userIdField, description: 'The user, who must have a name and a verification that is not finished' },
		...recipientFields,
		additionalFields([
			linkEmployersField,
			textField('Reply To', 'replyTo', 'e.g. team@example.com', 'The address that the person answers to'),
			templateIdField,
			testRecipientField,
		]),
	],
	prepare: (context) =>
		inviteEach(context, {
			read: (itemIndex, recipient) => readRequest(context, itemIndex, recipient),
			look: async (client, { findUser }) => await findUser(client),
			async send(client, { attemptOf }, { findUser, configuration }) {
				const user = await findUser(client);
				return { record: await sessions.sendSessionInvite(client, attemptOf, { type: 'invite', user, configuration }) };
			},
			again: 'Leave them out when you run this again.',
		}),
};
