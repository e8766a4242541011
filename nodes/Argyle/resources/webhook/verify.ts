import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { ArgyleError } from '../../transport/errors';
import { readEventMessage } from '../../api/eventMessage';
import { isSignedBy } from '../../api/signature';
import { type Operation, severalAtOnce } from '../operation';

function readSecret(value: unknown): string {
	if (typeof value === 'string' && value !== '') return value;
	throw new ArgyleError(
		'Secret is empty',
		'Enter the secret that the subscription was created with. Without one nothing can be proven genuine.',
	);
}

/** Nothing of a delivery that isn't genuine comes out, so that no later node works with it by mistake. */
async function execute(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const secret = readSecret(context.getNodeParameter('secret', itemIndex));
	const signature: unknown = context.getNodeParameter('signature', itemIndex);
	const field = String(context.getNodeParameter('rawBodyProperty', itemIndex));
	// Says which field is missing; the next line would not.
	context.helpers.assertBinaryData(itemIndex, field);
	const rawBody = await context.helpers.getBinaryDataBuffer(itemIndex, field);
	const message = isSignedBy([secret], rawBody, signature) ? readEventMessage(rawBody) : undefined;
	const json: IDataObject = message === undefined ? { verified: false } : { ...message, verified: true };
	return [{ json }];
}

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
	begin: severalAtOnce(execute),
};
