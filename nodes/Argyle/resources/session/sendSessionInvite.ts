import type { IDataObject } from 'n8n-workflow';

import { readItemIds } from '../../shared/employerIds';
import { createMask } from '../../api/sensitiveFields';
import * as sessions from '../../api/sessions';
import { readEmailAddress } from '../../shared/addresses';
import { recipientFields, readRecipient } from '../../shared/recipientFields';
import { additionalFields, userIdField } from '../../shared/fields';
import { linkEmployersField, readTemplateId, templateIdField } from '../../shared/linkFields';
import { readChosenId } from '../../shared/parameters';
import { type Operation, WRITE_CONCURRENCY } from '../operation';

export const sendSessionInvite: Operation = {
	value: 'sendInvite',
	name: 'Send Invite',
	action: 'Send a verification invite',
	description:
		'Write to a user for whom a verification was ordered, with a link that works for 180 days. An execution that is run again writes to the same people again.',
	effect: 'writesToPeople',
	fields: [
		{ ...userIdField, description: 'The user, who must have a name and a verification that is not finished' },
		...recipientFields,
		additionalFields([
			linkEmployersField,
			{
				displayName: 'Reply To',
				name: 'replyTo',
				type: 'string',
				default: '',
				placeholder: 'e.g. team@example.com',
				description: 'The address that the person answers to',
			},
			templateIdField,
		]),
	],
	concurrency: WRITE_CONCURRENCY,
	async execute(context, itemIndex, call) {
		const user = readChosenId(context, itemIndex, userIdField);
		const addresses = readRecipient(context, itemIndex);
		const { templateId, employers, replyTo } = context.getNodeParameter('additionalFields', itemIndex, {});
		const template = readTemplateId(templateId);
		const items = readItemIds(employers, 'Employers');
		const answers = readEmailAddress(replyTo, 'Reply To');
		const more: IDataObject = {};
		if (template !== '') more.flow_id = template;
		if (items.length > 0) more.items = items;
		if (answers !== '') more.reply_to = answers;
		const client = await call.connect();
		const session = await sessions.sendSessionInvite(client, call.attemptOf, {
			type: 'invite',
			user,
			configuration: { ...addresses, ...more },
		});
		return context.helpers.returnJsonArray(createMask()(session));
	},
};
