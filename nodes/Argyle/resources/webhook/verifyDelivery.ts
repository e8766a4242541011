import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { parseEventMessage, parseSignature, signingSecret } from '../../api/delivery';
import { ArgyleError } from '../../transport/errors';
import { inputFile } from '../inputFile';
import type { Operation } from '../operation';
import { derivedSecret, readSecret, secretField } from './derivedSecret';

/** Returns the secret that was entered, or else the one that Create derives. */
async function secretFor(context: IExecuteFunctions, itemIndex: number): Promise<string> {
	const chosen = readSecret(context.getNodeParameter('secret', itemIndex));
	if (chosen !== undefined) return chosen;
	const url = context.getNodeParameter('webhookUrl', itemIndex);
	if (typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) {
		return derivedSecret(await context.getCredentials('argyleApi', itemIndex), url);
	}
	throw new ArgyleError(
		'Webhook URL is not a web address',
		'Put this node right behind the Webhook node, whose item has the URL, or enter the URL of the subscription, or its Secret.',
	);
}

async function readRawBody(context: IExecuteFunctions, itemIndex: number): Promise<Buffer> {
	const field: unknown = context.getNodeParameter('binaryPropertyName', itemIndex);
	const file = await inputFile(context, itemIndex, field, {
		displayName: 'Raw Body Field',
		adviceWithoutFile: 'turn on Raw Body in the options of the Webhook node.',
	});
	return await context.helpers.getBinaryDataBuffer(itemIndex, file);
}

/** Of a delivery that isn't genuine, only `verified: false` comes out, so that no later node works with its content. */
export const verifyDelivery: Operation = {
	value: 'verify',
	name: 'Verify Delivery',
	action: 'Verify a webhook delivery',
	description:
		'Prove that a delivery to a Webhook node is from Argyle and unchanged. The Argyle Trigger does so itself.',
	effect: 'reads',
	fields: [
		{
			displayName: 'Raw Body Field',
			name: 'binaryPropertyName',
			type: 'string',
			default: 'data',
			required: true,
			description: 'The name of the input field that holds the delivery as it came',
			hint: "The name of the input binary field with the delivery's bytes. Turn on Raw Body in the options of the Webhook node.",
		},
		{
			displayName: 'Signature',
			name: 'signature',
			type: 'string',
			default: "={{ $json.headers['x-argyle-signature'] }}",
			required: true,
			description: 'What Argyle sent in the header X-Argyle-Signature',
		},
		{
			displayName: 'Webhook URL',
			name: 'webhookUrl',
			type: 'string',
			default: '={{ $json.webhookUrl }}',
			description:
				'The URL of the subscription. The secret is derived from this URL and the credential, so both must be the same as in Create. If genuine deliveries are not verified, enter the URL that was entered there.',
		},
		secretField(
			'Only for a subscription that was made elsewhere, or with a Secret of your own: enter the secret of that subscription. Everyone who can open the workflow can read it.',
		),
	],
	async execute(context, itemIndex) {
		const secret = await secretFor(context, itemIndex);
		const signature = parseSignature(context.getNodeParameter('signature', itemIndex));
		const rawBody = await readRawBody(context, itemIndex);
		const isGenuine = signature !== undefined && signingSecret([secret], rawBody, signature) !== undefined;
		const message = isGenuine ? parseEventMessage(rawBody) : undefined;
		const json: IDataObject = message === undefined ? { verified: false } : { ...message, verified: true };
		return [{ json }];
	},
};
