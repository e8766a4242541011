import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { InviteAddresses } from '../api/invites';
import { refused } from '../transport/errors';
import { readEmailAddress, readPhoneNumber } from './addresses';
import { textField } from './fields';
import { readGiven } from './leftOver';
import { readOptionalText, readRequiredText, readText } from './parameters';

const WAYS = ['email', 'sms', 'both'];

/** How Argyle writes to a person. */
export const recipientFields: INodeProperties[] = [
	{
		displayName: 'Send By',
		name: 'sendBy',
		type: 'options',
		default: 'email',
		options: [
			{ name: 'Both', value: 'both' },
			{ name: 'Email', value: 'email' },
			{ name: 'SMS', value: 'sms' },
		],
		description: 'How the person gets the link. With Both, more people answer than with Email or SMS alone.',
	},
	{
		...textField('Email', 'email', 'e.g. name@email.com', 'The address that Argyle writes to'),
		required: true,
		displayOptions: { show: { sendBy: ['email', 'both'] } },
	},
	{
		...textField(
			'Phone Number',
			'phoneNumber',
			'e.g. +12125550123',
			'The mobile number that Argyle writes to. Ten digits are a number in the USA; any other needs the code of its country.',
		),
		required: true,
		displayOptions: { show: { sendBy: ['sms', 'both'] } },
	},
];

/**
 * Returns the addresses of the person. Throws ArgyleError when an address that Send By needs is missing, so that nobody
 * gets only one of two messages.
 */
export function readRecipient(context: IExecuteFunctions, itemIndex: number): InviteAddresses {
	const way = readText(context.getNodeParameter('sendBy', itemIndex, 'email'), 'Send By').toLowerCase();
	if (!WAYS.includes(way)) {
		throw refused('Send By is neither Email, SMS nor Both', 'Let its expression give email, sms or both.');
	}
	const read = (name: string) => readGiven(context, itemIndex, name);
	const addresses: InviteAddresses = {};
	if (way !== 'sms') {
		const email = readEmailAddress(read('email'), 'Email');
		addresses.email = readRequiredText(email, 'Email', 'the e-mail address of the person');
	}
	if (way !== 'email') {
		const number = readPhoneNumber(read('phoneNumber'), 'Phone Number');
		addresses.phone_number = readRequiredText(number, 'Phone Number', 'the mobile number of the person');
	}
	return addresses;
}

/** An additional field: the address that gets every message in place of the people. */
export const testRecipientField = textField(
	'Test Recipient',
	'testRecipient',
	'e.g. me@example.com',
	'For trying it out: every message of this step goes to this e-mail address or phone number, and nobody else is written to. Remove it to write to the people.',
);

/**
 * Returns undefined if the field was not added. Throws ArgyleError when the field is empty, because a trial must not
 * write to the people.
 */
export function readTestRecipient(fields: IDataObject): InviteAddresses | undefined {
	const { displayName, name } = testRecipientField;
	if (!(name in fields)) return undefined;
	const text = readOptionalText(fields[name], displayName);
	const advice = `an e-mail address or a phone number of yours, or remove ${displayName} to write to the people`;
	return text.includes('@')
		? { email: readRequiredText(readEmailAddress(text, displayName), displayName, advice) }
		: { phone_number: readRequiredText(readPhoneNumber(text, displayName), displayName, advice) };
}
