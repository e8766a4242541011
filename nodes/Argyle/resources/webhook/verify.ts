import type { IBinaryData, IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { parseEventMessage } from '../../api/eventMessage';
import { isSignedBy, parseSignature } from '../../api/signature';
import { ArgyleError } from '../../transport/errors';
import { isDataObject } from '../../utils/json';
import { type Operation, READ_CONCURRENCY } from '../operation';

function readSecret(value: unknown): string {
	if (typeof value === 'string' && value !== '') return value;
	throw new ArgyleError(
		'Secret is empty',
		'Enter the secret that the subscription was created with. Without one nothing can be proven genuine.',
	);
}

const isBinary = (value: unknown): value is IBinaryData =>
	isDataObject(value) && 'mimeType' in value && ('data' in value || 'id' in value);

/** With the binary mode "combined" n8n keeps files in `files` of the item's JSON. */
function binaryFieldsOf({ binary = {}, json }: INodeExecutionData): string[] {
	const files = isDataObject(json.files) ? Object.entries(json.files) : [];
	const inJson = files.filter(([, file]) => isBinary(file)).map(([name]) => `files.${name}`);
	return [...Object.keys(binary), ...inJson];
}

/** From the name of a field, or from a file itself, as an expression can give it. */
async function readRawBody(context: IExecuteFunctions, itemIndex: number): Promise<Buffer> {
	const field: unknown = context.getNodeParameter('rawBodyProperty', itemIndex);
	const source = isBinary(field) ? field : String(field);
	// The other helper fails with a bare TypeError when there is no such field.
	const assertFile = async () => context.helpers.assertBinaryData(itemIndex, source);
	await assertFile().catch(() => {
		const fields = binaryFieldsOf(context.getInputData()[itemIndex]);
		throw new ArgyleError(
			'Raw Body Field does not name a file of the item',
			fields.length === 0
				? 'The item has no file: turn on Raw Body in the options of the Webhook node.'
				: `Enter one of the fields that the item has: ${fields.join(', ')}.`,
		);
	});
	return await context.helpers.getBinaryDataBuffer(itemIndex, source);
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
		const rawBody = await readRawBody(context, itemIndex);
		const isGenuine = signature !== undefined && isSignedBy([secret], rawBody, signature);
		const message = isGenuine ? parseEventMessage(rawBody) : undefined;
		const json: IDataObject = message === undefined ? { verified: false } : { ...message, verified: true };
		return [{ json }];
	},
};
