import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import * as invites from '../../api/invites';
import { type FindOpenInvite, readOpenInvites, rememberInvite } from '../../api/openInvites';
import { readEmailAddresses } from '../../shared/addresses';
import { askOnce } from '../../shared/chosenId';
import { readOptionalExternalId } from '../../shared/externalId';
import { readGiven } from '../../shared/leftOver';
import { readPersonName } from '../../shared/personName';
import { readItemIds } from '../../shared/employerIds';
import { additionalFields, textField } from '../../shared/fields';
import { linkEmployersField, readTemplateId, templateIdField } from '../../shared/linkFields';
import { readBoolean, readRequiredText } from '../../shared/parameters';
import { recipientFields, testRecipientField } from '../../shared/recipientFields';
import type { ItemProcessing, Operation } from '../operation';
import { inviteEach, type Recipient } from './inviteList';

const nameField = (displayName: string, name: string, example: string): INodeProperties => ({
	...textField(displayName, name, `e.g. ${example}`, 'As the person is addressed in the message'),
	required: true,
});

const skipOpenInvitesField: INodeProperties = {
	displayName: 'Skip Open Invites',
	name: 'skipOpenInvites',
	type: 'boolean',
	default: true,
	description:
		'Whether to skip people who already have an open invite, which is neither revoked nor completed. The item then comes out with the open invite, and with result skipped. To find it, the node reads all invites of the account, once for all items.',
};

function readRequest(context: IExecuteFunctions, itemIndex: number, { addresses, test }: Recipient) {
	const read = (name: string, fieldName: string) =>
		readRequiredText(
			readPersonName(readGiven(context, itemIndex, name), fieldName),
			fieldName,
			'the name of the person',
		);
	const request: invites.InviteRequest = {
		first_name: read('firstName', 'First Name'),
		last_name: read('lastName', 'Last Name'),
		...(test ?? addresses),
	};
	const { displayName, name } = skipOpenInvitesField;
	const skipsOpenInvites = readBoolean(context.getNodeParameter(name, itemIndex, true), displayName);
	const { externalId, templateId, employers, notify } = context.getNodeParameter('additionalFields', itemIndex, {});
	const saved = context.getNodeParameter('additionalFields', itemIndex, {}, { rawExpressions: true });
	const id = readOptionalExternalId(context, itemIndex, {
		fieldName: 'External ID',
		value: externalId,
		saved: saved.externalId,
	});
	const template = readTemplateId(templateId);
	const items = readItemIds(employers, 'Employers');
	const recipients = readEmailAddresses(notify, 'Notify');
	if (template !== '') request.flow_id = template;
	if (items.length > 0) request.flow_items = items;
	// A trial writes to nobody but the test recipient, so Notify is left out. So is the External ID, because it must find
	// only the real user.
	if (test === undefined) {
		if (id !== '') request.external_id = id;
		if (recipients.length > 0) request.override_invite_template = { email: { reply_to: recipients } };
	}
	return { request, addresses, skipsOpenInvites };
}

function reasonOf(open: IDataObject, request: invites.InviteRequest): string {
	const since = `last sent at ${String(open.invited_at)}`;
	if (invites.isNamed(open, request))
		return `There is an open invite, ${since}. To write to this person again, use Invite: Resend.`;
	const name = [open.first_name, open.last_name].filter(Boolean).join(' ') || 'a person without a name';
	return `The open invite to this address or number, ${since}, is that of ${name}. If that is somebody else, turn off ${skipOpenInvitesField.displayName} for this person.`;
}

function prepare(context: IExecuteFunctions): ItemProcessing {
	// The credential may come from an expression, so the items may belong to several accounts of Argyle.
	const openInvites = new Map<string, Promise<FindOpenInvite>>();
	return inviteEach(context, {
		read: (itemIndex, recipient) => readRequest(context, itemIndex, recipient),
		async send(client, { attemptOf }, { request, addresses, skipsOpenInvites }) {
			let open: IDataObject | undefined;
			const record = await invites.sendInvite(client, attemptOf, request, async () => {
				if (!skipsOpenInvites) return undefined;
				const read = async () => await readOpenInvites(client);
				const findOpenInvite = await askOnce(openInvites, client.credentialDigest, read);
				return (open = await findOpenInvite(addresses));
			});
			rememberInvite(client, record);
			return { record, skippedBecause: open && reasonOf(open, request) };
		},
		again: `With ${skipOpenInvitesField.displayName} on, the next run skips them. It does not skip people who have completed the invite by then: leave those out.`,
	});
}

export const sendInvite: Operation = {
	value: 'send',
	name: 'Send',
	action: 'Send an invite',
	description:
		'Send people a message with a link that lets them connect an employer. All items are checked before the first message. An invite makes another user at Argyle: to write to somebody who was invited before, use Resend.',
	effect: 'writesToPeople',
	fields: [
		nameField('First Name', 'firstName', 'Alex'),
		nameField('Last Name', 'lastName', 'Sample'),
		...recipientFields,
		skipOpenInvitesField,
		additionalFields([
			linkEmployersField,
			textField(
				'External ID',
				'externalId',
				'e.g. LOAN-4711',
				'Your own ID of the person, by which the user that Argyle creates is found again',
			),
			textField(
				'Notify',
				'notify',
				'e.g. team@example.com',
				'E-mail addresses, separated by commas, that Argyle tells when the person has connected',
			),
			templateIdField,
			{
				...testRecipientField,
				description: `${testRecipientField.description} A trial invite has no External ID, and the addresses in Notify are told nothing.`,
			},
		]),
	],
	prepare,
};
