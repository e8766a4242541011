import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { textField } from '../../shared/fields';
import { userRequest } from '../../shared/userRequest';

const addressParts: INodeProperties[] = [
	textField('Line 1', 'line1', 'e.g. 1 Example Way', 'Street and number'),
	textField('Line 2', 'line2', 'e.g. Apt 2', 'Apartment, floor or the like'),
	textField('City', 'city', 'e.g. New York', 'The city'),
	textField('State', 'state', 'e.g. NY', 'The state'),
	textField('Postal Code', 'postalCode', 'e.g. 10014', 'The postal code'),
	textField('Country', 'country', 'e.g. US', 'The two letters of the country'),
];

/** What can be given of a user when they are created, and changed later. */
export const userFields: INodeProperties[] = [
	{
		displayName: 'Address',
		name: 'address',
		type: 'fixedCollection',
		default: {},
		placeholder: 'Add address',
		description: 'Where the person lives. Enter it as a whole: Argyle may drop the parts that are missing.',
		options: [{ displayName: 'Address', name: 'value', values: addressParts }],
	},
	{
		displayName: 'Birth Date',
		name: 'birthDate',
		type: 'dateTime',
		typeOptions: { dateOnly: true },
		default: '',
		description: 'The birth date of the person, such as 1980-10-30',
	},
	textField('Email', 'email', 'e.g. alex@example.com', 'The e-mail address of the person. Nothing is sent to it.'),
	textField('External ID', 'externalId', 'e.g. crm-1001', 'Your own ID of the person, by which they are found again'),
	textField('First Name', 'firstName', 'e.g. Alex', 'The first name of the person'),
	textField('Last Name', 'lastName', 'e.g. Sample', 'The last name of the person'),
	{
		displayName: 'Metadata',
		name: 'metadata',
		type: 'json',
		default: '{}',
		description:
			'Data of your own, as JSON; verifications from bank accounts need an object. An update keeps other keys that are there, but replaces inner objects.',
	},
	textField(
		'Phone Number',
		'phoneNumber',
		'e.g. +12125550123',
		'The phone number of the person, with the country code',
	),
	{
		displayName: 'Social Security Number',
		name: 'ssn',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		placeholder: 'e.g. 000-00-0000',
		description: 'The social security number of the person',
	},
];

export function readUserFields(context: IExecuteFunctions, itemIndex: number, collection: string): IDataObject {
	return userRequest(context.getNodeParameter(collection, itemIndex, {}), context.getTimezone());
}
