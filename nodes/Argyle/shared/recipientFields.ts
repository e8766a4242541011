import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { InviteAddresses } from '../api/invites';
import { refused } from '../transport/errors';
import { readRequiredText, readText } from './parameters';

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
		description: 'How the person gets the link. By both ways, most people answer.',
	},
	{
		displayName: 'Email',
		name: 'email',
		type: 'string',
		placeholder: 'e.g. name@email.com',
		default: '',
		required: true,
		description: 'The address that Argyle writes to',
		displayOptions: { show: { sendBy: ['email', 'both'] } },
	},
	{
		displayName: 'Phone Number',
		name: 'phoneNumber',
		type: 'string',
		placeholder: 'e.g. +12125550123',
		default: '',
		required: true,
		description: 'The mobile number that Argyle writes to, with the code of its country',
		displayOptions: { show: { sendBy: ['sms', 'both'] } },
	},
];

/** Throws ArgyleError when an address that is asked for is missing, so that nobody is written to by half. */
export function readRecipient(context: IExecuteFunctions, itemIndex: number): InviteAddresses {
	const way = readText(context.getNodeParameter('sendBy', itemIndex, 'email'), 'Send By').toLowerCase();
	if (!WAYS.includes(way)) {
		throw refused('Send By is neither Email, SMS nor Both', 'Let its expression give email, sms or both.');
	}
	const read = (name: string, fieldName: string, advice: string) =>
		readRequiredText(context.getNodeParameter(name, itemIndex, ''), fieldName, advice);
	const addresses: InviteAddresses = {};
	if (way !== 'sms') addresses.email = read('email', 'Email', 'the e-mail address of the person');
	if (way !== 'email') addresses.phone_number = read('phoneNumber', 'Phone Number', 'the mobile number of the person');
	return addresses;
}
