import type { ArgyleClient } from '../transport/client';
import { undefinedWhenNotFound } from '../transport/errors';
import { getRecord } from './collections';
import type { Family } from './families';
import { type AttemptOf, writeOnce } from './writeOnce';

/** DELETE of one record, which is gone as well when that is seen after an unclear answer. Throws ArgyleError. */
export async function deleteRecord(
	client: ArgyleClient,
	attemptOf: AttemptOf,
	family: Family,
	id: string,
): Promise<void> {
	const { one, path } = family;
	await writeOnce(client, attemptOf, {
		request: {
			method: 'DELETE',
			path: `${path}/${id}`,
			subject: `${one} ${id}`,
			unclear: { what: `the ${one} ${id} was deleted`, check: 'Get' },
		},
		hasAnswer: false,
		async findChanged() {
			const record = await getRecord(client, family, id).catch(undefinedWhenNotFound);
			return record === undefined ? {} : undefined;
		},
	});
}
