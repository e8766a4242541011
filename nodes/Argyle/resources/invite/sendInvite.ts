import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { addressKeys, type FindInvite, OPEN_STATUSES, readInvites, rememberInvite } from '../../api/earlierInvites';
import * as invites from '../../api/invites';
import { taken, usersByExternalId } from '../../api/usersByExternalId';
import { readEmailAddresses } from '../../shared/addresses';
import { readOptionalExternalId } from '../../shared/externalId';
import { readGiven } from '../../shared/leftOver';
import { readItemIds } from '../../shared/employerIds';
import { additionalFields, textField } from '../../shared/fields';
import { linkEmployersField, readTemplateId, templateIdField } from '../../shared/linkFields';
import { readChoice, readRequiredText } from '../../shared/parameters';
import { readPersonName } from '../../shared/personName';
import { readTestRecipient, recipientFields, testRecipientField } from '../../shared/recipientFields';
import { askOnce } from '../../shared/userLookup';
import type { ArgyleClient } from '../../transport/client';
import type { ItemProcessing, Operation } from '../operation';
import { showHintOnce } from '../records/recordOutput';
import { inviteEach } from './inviteEach';

const nameField = (displayName: string, name: string, example: string): INodeProperties => ({
	...textField(displayName, name, `e.g. ${example}`, 'As the person is addressed in the message'),
	required: true,
});

/** The names by which messages and pages speak of the choices. */
const SKIPPED = {
	none: 'Nobody',
	open: 'With an Open Invite',
	openOrCompleted: 'With an Open or Completed Invite',
};

const skipInvitedField: INodeProperties = {
	displayName: 'Skip Invited',
	name: 'skipInvited',
	type: 'options',
	default: 'openOrCompleted',
	options: [
		{
			name: SKIPPED.none,
			value: 'none',
			description: 'Everybody is written to. Two people can have one address. No invite is read before.',
		},
		{
			name: SKIPPED.open,
			value: 'open',
			description: 'Nobody is written to who has an invite that is neither completed nor revoked',
		},
		{
			name: SKIPPED.openOrCompleted,
			value: 'openOrCompleted',
			description: 'Nor anybody who has completed an invite. The node reads all completed invites, 200 in one request.',
		},
	],
	description:
		'Who is not written to, because they have an invite: to the same address or number, or as the user with the same External ID. The item then comes out with that invite, and with result skipped. To find it, the node reads these invites of the account, once for all items. Another invite makes another user at Argyle, and Resend does not.',
};

/** The statuses of the invites because of which a person is skipped. */
const STATUSES: Record<string, string[]> = {
	none: [],
	open: OPEN_STATUSES,
	openOrCompleted: [...OPEN_STATUSES, 'completed'],
};

const INSTEAD_OF_INVITE =
	'An invite makes another user, and nobody finds either of two users with one External ID. So send their invite again with Invite: Resend. Or order a verification, and use Session: Send Invite. Or leave External ID out, and a new user is made without it. Nobody was written to.';

function readRequest(context: IExecuteFunctions, itemIndex: number, addresses: invites.InviteAddresses) {
	const read = (name: string, fieldName: string) =>
		readRequiredText(
			readPersonName(readGiven(context, itemIndex, name), fieldName),
			fieldName,
			'the name of the person',
		);
	const name = { first_name: read('firstName', 'First Name'), last_name: read('lastName', 'Last Name') };
	const skipped = context.getNodeParameter(skipInvitedField.name, itemIndex, skipInvitedField.default);
	const skipInvited = readChoice(skipped, skipInvitedField.displayName, SKIPPED);
	const fields = context.getNodeParameter('additionalFields', itemIndex, {});
	const test = readTestRecipient(fields);
	const request: invites.InviteRequest = { ...name, ...(test ?? addresses) };
	const { externalId, templateId, employers, notify } = fields;
	const saved = context.getNodeParameter('additionalFields', itemIndex, {}, { rawExpressions: true });
	const ownId = readOptionalExternalId(context, itemIndex, {
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
		if (ownId !== '') request.external_id = ownId;
		if (recipients.length > 0) request.override_invite_template = { email: { reply_to: recipients } };
	}
	return { request, addresses, externalId: ownId, skipInvited, testRecipient: test?.email ?? test?.phone_number };
}

type InviteRow = ReturnType<typeof readRequest>;

/** The invite because of which a person is skipped. */
interface Earlier {
	invite: IDataObject;
	/** Whether it was found by the External ID, and not by an address. */
	isOfUser: boolean;
	/** Who has the External ID. */
	users: IDataObject[];
}

function reasonOf({ invite, isOfUser, users }: Earlier, { request, externalId }: InviteRow): string {
	const isCompleted = invite.status === 'completed';
	const state = isCompleted ? 'completed' : 'open';
	const since = isCompleted
		? `last changed at ${String(invite.updated_at)}`
		: `last sent at ${String(invite.invited_at)}`;
	const name = [invite.first_name, invite.last_name].filter(Boolean).join(' ') || 'a person without a name';
	const whose = isOfUser ? 'of the user with this External ID' : 'to this address or number';
	const otherwise = isOfUser
		? 'enter another External ID'
		: `choose ${SKIPPED.none} in ${skipInvitedField.displayName} for this person`;
	const reason = invites.isNamed(invite, request)
		? `There is ${isCompleted ? 'a' : 'an'} ${state} invite, ${since}. To write to this person again, use Invite: Resend.`
		: `The ${state} invite ${whose}, ${since}, is that of ${name}. If that is somebody else, ${otherwise}.`;
	if (externalId === '' || isOfUser) return reason;
	const [holder] = users;
	const why = holder === undefined ? 'User: Update can set it.' : `User ${String(holder.id)} has it.`;
	return `${reason} The user of that invite does not have the External ID ${externalId}. ${why}`;
}

async function prepare(context: IExecuteFunctions): Promise<ItemProcessing> {
	// The credential may come from an expression, so the items may belong to several accounts of Argyle.
	const lists = new Map<string, Promise<FindInvite>>();
	const owners = new Map<string, Promise<IDataObject[]>>();
	const keyOf = (client: ArgyleClient, text: string) => `${client.credentialDigest} ${text}`;
	async function ownersOf(client: ArgyleClient, { externalId }: InviteRow): Promise<IDataObject[]> {
		if (externalId === '') return [];
		return await askOnce(owners, keyOf(client, externalId), async () => await usersByExternalId(client, externalId));
	}
	/** Throws ArgyleError when somebody has the External ID who is not skipped. */
	async function findEarlier(client: ArgyleClient, row: InviteRow): Promise<Earlier | undefined> {
		const { addresses, externalId, skipInvited } = row;
		const users = await ownersOf(client, row);
		const statuses = STATUSES[skipInvited];
		if (statuses.length > 0) {
			const read = async () => await readInvites(client, statuses);
			const find = await askOnce(lists, keyOf(client, skipInvited), read);
			const ofUser = await find(users.map(({ id }) => String(id)));
			const invite = ofUser ?? (await find(addressKeys(addresses)));
			if (invite !== undefined) return { invite, isOfUser: ofUser !== undefined, users };
		}
		if (users.length > 0) throw taken(externalId, users, INSTEAD_OF_INVITE);
		return undefined;
	}
	return await inviteEach(context, {
		read: (itemIndex, addresses) => readRequest(context, itemIndex, addresses),
		externalIdOf: ({ externalId }) => externalId,
		areTwoPeople: (one, other) =>
			[one, other].every(({ skipInvited }) => skipInvited === 'none') && !invites.isNamed(one.request, other.request),
		adviceForTwins: `If two people have one address or number, choose ${SKIPPED.none} in ${skipInvitedField.displayName}.`,
		async look(call, row) {
			if (row.externalId === '') return;
			const client = await call.connect();
			// What an earlier try has sent has made the user who has the External ID.
			if (invites.isInviteSent(client, call.attemptOf, row.request)) return;
			if ((await ownersOf(client, row)).length > 0) await findEarlier(client, row);
		},
		adviceAfterLook: INSTEAD_OF_INVITE,
		async send(client, { attemptOf }, row) {
			let earlier: Earlier | undefined;
			const record = await invites.sendInvite(client, attemptOf, row.request, async () => {
				earlier = await findEarlier(client, row);
				return earlier?.invite;
			});
			rememberInvite(client, record);
			const { testRecipient } = row;
			if (testRecipient !== undefined)
				showHintOnce(context, `A trial: every message goes to ${testRecipient}, and nobody else is written to.`);
			return {
				record,
				skippedBecause: earlier && reasonOf(earlier, row),
				more: testRecipient === undefined ? {} : { testRecipient },
			};
		},
		again: `If ${skipInvitedField.displayName} is ${SKIPPED.openOrCompleted}, the next run skips them.`,
	});
}

export const sendInvite: Operation = {
	value: 'send',
	name: 'Send',
	action: 'Send an invite',
	description: 'Write to people, with a link to connect an employer. All items are checked before the first message.',
	effect: 'writesToPeople',
	fields: [
		nameField('First Name', 'firstName', 'Alex'),
		nameField('Last Name', 'lastName', 'Sample'),
		...recipientFields,
		skipInvitedField,
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
