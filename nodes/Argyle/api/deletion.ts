import type { ArgyleClient } from '../transport/client';
import { undefinedWhenNotFound } from '../transport/errors';
import { getRecord } from './records';
import type { RecordType } from './recordTypes';
import { type AttemptOf, writeOnce } from './writeOnce';

/** Deletes one record. After an unclear answer, this looks the record up: if it is gone, it was deleted. */
export async function deleteRecord(
	client: ArgyleClient,
	attemptOf: AttemptOf,
	recordType: RecordType,
	id: string,
): Promise<void> {
	const { one, path } = recordType;
	await writeOnce(client, attemptOf, {
		request: {
			method: 'DELETE',
			path: `${path}/${id}`,
			subject: `${one} ${id}`,
			unclear: { what: `the ${one} ${id} was deleted`, check: 'Get' },
		},
		hasAnswer: false,
		async findChanged() {
			const record = await getRecord(client, recordType, id).catch(undefinedWhenNotFound);
			return record === undefined ? {} : undefined;
		},
	});
}
