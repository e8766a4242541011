import { readItemIds } from '../../shared/employerIds';
import { ITEMS } from '../../api/employers';
import { getRecord } from '../../api/records';
import { employerIdField } from '../../shared/fields';
import { refused } from '../../transport/errors';
import type { Operation } from '../operation';
import { toItems } from '../records/recordOutput';

function readEmployerId(chosen: unknown): string {
	const { displayName } = employerIdField;
	const ids = readItemIds(chosen, displayName);
	if (ids.length === 1) return ids[0];
	throw refused(
		ids.length === 0 ? `${displayName} is missing` : `${displayName} holds more than one ID`,
		'Choose one employer from the list, or give one ID. For several employers, use several items.',
	);
}

export const getEmployer: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get an employer',
	description:
		'Find out what Argyle can read from an employer or platform: which fields, how often, and with which limits',
	effect: 'reads',
	fields: [employerIdField],
	async execute(context, itemIndex, call) {
		const chosen = context.getNodeParameter(employerIdField.name, itemIndex, '', { extractValue: true });
		const id = readEmployerId(chosen);
		const client = await call.connect();
		return toItems([await getRecord(client, ITEMS, id)]);
	},
};
