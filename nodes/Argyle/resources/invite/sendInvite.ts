import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import * as invites from '../../api/invites';
import { readItemIds } from '../../shared/employerIds';
import { recipientFields, readRecipient } from '../../shared/recipientFields';
import { additionalFields } from '../../shared/fields';
import { linkEmployersField, readTemplateId, templateIdField } from '../../shared/linkFields';
import { readOptionalText, readRequiredText, readTexts } from '../../shared/parameters';
import { type Operation, WRITE_CONCURRENCY } from '../operation';
import { toInviteItems } from './inviteOutput';

const nameField = (displayName: string, name: string, example: string): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: '',
	required: true,
	placeholder: `e.g. ${example}`,
	description: 'As the person is addressed in the message',
});

function readRequest(context: IExecuteFunctions, itemIndex: number): invites.InviteRequest {
	const read = (name: string, fieldName: string) =>
		readRequiredText(context.getNodeParameter(name, itemIndex, ''), fieldName, 'the name of the person');
	const request: invites.InviteRequest = {
		first_name: read('firstName', 'First Name'),
		last_name: read('lastName', 'Last Name'),
		...readRecipient(context, itemIndex),
	};
	const { externalId, templateId, employers, notify } = context.getNodeParameter('additionalFields', itemIndex, {});
	const id = readOptionalText(externalId, 'External ID');
	const template = readTemplateId(templateId);
	const items = readItemIds(employers, 'Employers');
	const recipients = readTexts(notify, 'Notify');
	if (id !== '') request.external_id = id;
	if (template !== '') request.flow_id = template;
	if (items.length > 0) request.flow_items = items;
	if (recipients.length > 0) request.override_invite_template = { email: { reply_to: recipients } };
	return request;
}

export const sendInvite: Operation = {
	value: 'send',
	name: 'Send',
	action: 'Send an invite',
	description:
		'Write to a person, with a link under which to connect an employer. Each run sends another invite, also one of an execution that is run again, and makes another user at Argyle: to write to somebody who was invited before, use Resend.',
	effect: 'writesToPeople',
	fields: [
		nameField('First Name', 'firstName', 'Alex'),
		nameField('Last Name', 'lastName', 'Sample'),
		...recipientFields,
		additionalFields([
			linkEmployersField,
			{
				displayName: 'External ID',
				name: 'externalId',
				type: 'string',
				default: '',
				placeholder: 'e.g. LOAN-4711',
				description: 'Your own ID of the person, by which the user that Argyle creates is found again',
			},
			{
				displayName: 'Notify',
				name: 'notify',
				type: 'string',
				default: '',
				placeholder: 'e.g. team@example.com',
				description: 'E-mail addresses, separated by commas, that Argyle tells when the person has connected',
			},
			templateIdField,
		]),
	],
	concurrency: WRITE_CONCURRENCY,
	async execute(context, itemIndex, call) {
		const request = readRequest(context, itemIndex);
		const client = await call.connect();
		return toInviteItems(context, [await invites.sendInvite(client, call.attemptOf, request)]);
	},
};
