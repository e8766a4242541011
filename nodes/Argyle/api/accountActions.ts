import type { ArgyleClient } from '../transport/client';
import { isDataObject } from '../utils/json';
import { ACCOUNTS, getRecord } from './records';
import { type AttemptOf, writeOnce } from './writeOnce';

const actionOf = (id: string, action: string) => ({
	method: 'POST' as const,
	path: `${ACCOUNTS.path}/${id}/${action}`,
	subject: `account ${id}`,
});

/** POST /v2/accounts/{id}/disable-ongoing-refresh (Argyle's OpenAPI file 1.0.111). */
export async function disableRefresh(client: ArgyleClient, attemptOf: AttemptOf, id: string): Promise<void> {
	await writeOnce(client, attemptOf, {
		request: {
			...actionOf(id, 'disable-ongoing-refresh'),
			unclear: { what: `the refresh of account ${id} was disabled`, check: 'Account: Get' },
		},
		hasAnswer: false,
		async findChanged() {
			const { ongoing_refresh: refresh } = await getRecord(client, ACCOUNTS, id);
			return isDataObject(refresh) && refresh.status === 'disabled' ? {} : undefined;
		},
	});
}

/** POST /v2/accounts/{id}/periodic-scan, which Argyle has in Sandbox only. */
export async function simulateNewData(client: ArgyleClient, attemptOf: AttemptOf, id: string): Promise<void> {
	await writeOnce(client, attemptOf, {
		request: {
			...actionOf(id, 'periodic-scan'),
			unclear: { what: `account ${id} got new data`, check: 'Paystub: Get Many' },
		},
		hasAnswer: false,
	});
}
