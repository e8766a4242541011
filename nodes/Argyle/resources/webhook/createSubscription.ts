import { subscriptionRequest } from '../../shared/subscriptionRequest';
import { createSubscriptionOnce } from '../../api/subscriptions';
import { additionalFields, eventsField, itemsField, settingFields, textField } from '../../shared/fields';
import { unreachableReason } from '../../shared/publicUrl';
import { refused } from '../../transport/errors';
import type { Operation } from '../operation';
import { derivedSecret, readSecret, secretField } from './derivedSecret';
import { secretOptionField, readSubscriptionOutput } from './subscriptionOutput';

export const createSubscription: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create a webhook subscription',
	description: 'Have Argyle send events to an address of your own. The Argyle Trigger does this by itself.',
	effect: 'givesAccess',
	fields: [
		{
			...textField('Name', 'name', 'e.g. Forms to CRM', 'Any name; Argyle sends it back with every event'),
			required: true,
		},
		{
			...textField(
				'URL',
				'url',
				'e.g. https://example.com/argyle',
				'The public address to which Argyle sends the events',
			),
			required: true,
		},
		eventsField,
		additionalFields([
			...settingFields,
			itemsField,
			secretField(
				'Argyle signs each delivery with it. If you leave it out, the node derives it from the credential and the URL, and so does Verify Delivery. Enter one only for a receiver outside of n8n that asks for it; everyone who can open the workflow can read it.',
			),
		]),
		secretOptionField,
	],
	async execute(context, itemIndex, call) {
		// A secret that was not added counts as empty. If it has an expression that gives nothing, it does not count as
		// empty, and is refused.
		const { secret, ...settings } = { secret: '', ...context.getNodeParameter('additionalFields', itemIndex, {}) };
		const request = subscriptionRequest({
			name: context.getNodeParameter('name', itemIndex),
			url: context.getNodeParameter('url', itemIndex),
			events: context.getNodeParameter('events', itemIndex),
			...settings,
		});
		const chosenSecret = readSecret(secret);
		const output = readSubscriptionOutput(context, itemIndex);
		const client = await call.connect();
		const obstacle = unreachableReason(request.url, client.environment);
		if (obstacle !== undefined) {
			throw refused(`Argyle can't send to ${request.url}`, `${obstacle} Enter a public https address.`);
		}
		const signingSecret = chosenSecret ?? derivedSecret(client.credential, request.url);
		return output([await createSubscriptionOnce(client, call.attemptOf, request, signingSecret)]);
	},
};
