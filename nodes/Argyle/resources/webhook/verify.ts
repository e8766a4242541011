import type { IDataObject } from 'n8n-workflow';

import { parseEventMessage } from '../../api/eventMessage';
import { isSignedBy, parseSignature } from '../../api/signature';
import { ArgyleError } from '../../transport/errors';
import { type Operation, READ_CONCURRENCY } from '../operation';

function readSecret(value: unknown): string {
	if (typeof value === 'string' && value !== '') return value;
	throw new ArgyleError(
		'Secret is empty',
		'Enter the secret that the subscription was created with. Without one nothing can be proven genuine.',
	);
}

/** Puts out nothing of a delivery that isn't genuine, so that no later node works with it by mistake. */
export const verify: Operation = {
	value: 'verify',
	name: 'Verify Delivery',
	action: 'Verify a webhook delivery',
	description:
		'Prove that a delivery, received with a Webhook node, is from Argyle and unchanged. The Argyle Trigger does this by itself.',
	fields: [
		{
			displayName: 'Raw Body Field',
			name: 'rawBodyProperty',
			type: 'string',
			default: 'data',
			required: true,
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
			displayName: 'Secret',
			name: 'secret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'The secret that the subscription was created with',
		},
	],
	concurrency: READ_CONCURRENCY,
	async execute(context, itemIndex) {
		const secret = readSecret(context.getNodeParameter('secret', itemIndex));
		const signature = parseSignature(context.getNodeParameter('signature', itemIndex));
		const field = String(context.getNodeParameter('rawBodyProperty', itemIndex));
		// Its error names the missing field; that of the next line would not.
		context.helpers.assertBinaryData(itemIndex, field);
		const rawBody = await context.helpers.getBinaryDataBuffer(itemIndex, field);
		const isGenuine = signature !== undefined && isSignedBy([secret], rawBody, signature);
		const message = isGenuine ? parseEventMessage(rawBody) : undefined;
		const json: IDataObject = message === undefined ? { verified: false } : { ...message, verified: true };
		return [{ json }];
	},
};
