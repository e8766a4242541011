import type { Assumed } from '../../test/support/fakeArgyle/assumed.mts';
import { type FakeArgyle, startFakeArgyle } from '../../test/support/fakeArgyle/index.mts';
import type { Target } from './options.mts';

/** Short, because the fake's deliveries are retried after it. */
const RETRY_AFTER_MS = 400;

/** Long enough to be told from what a busy machine takes to handle a delivery. */
const MINUTE_MS = 2_500;

/** A fake Argyle whose account shows all that the checks look at. It takes the sides that are given. */
export async function startFakeTarget(assumed: Partial<Assumed> = {}): Promise<{ argyle: FakeArgyle; target: Target }> {
	const argyle = await startFakeArgyle({
		environment: 'sandbox',
		requestsPerSecond: 10_000,
		retryAfterMs: RETRY_AFTER_MS,
		minuteMs: MINUTE_MS,
		assumed,
	});
	const [first] = argyle.accounts.values();
	const owner = { user: String(first?.user), account: String(first?.id) };
	argyle.addRecords('gigs', 25, owner);
	argyle.addRecords('accounts', 3, owner);
	argyle.addRecords('accounts', 1, { ...owner, created_at: '2026-10-01T10:00:00.000Z' });
	for (const day of [1, 2, 3]) argyle.storeForm({ ...owner, createdAt: `2026-10-0${day}T10:00:00.123Z` });
	const target: Target = {
		origin: argyle.origin,
		key: argyle.key,
		otherKey: argyle.otherEnvironmentKey,
		environment: 'sandbox',
		writes: true,
		mailTo: 'contract@example.com',
		deliveries: { port: 0 },
		makeEvent: async () => {
			await argyle.submitForm();
			for (const { id, status } of argyle.records.of('reports').values())
				if (status === 'generating') argyle.completeReport(id);
			await argyle.untilDelivered();
		},
		rate: 10_000,
		// Without asking for the address of a name.
		nowhere: 'http://127.0.0.1:1',
		retryAfterMs: RETRY_AFTER_MS,
		minuteMs: MINUTE_MS,
	};
	return { argyle, target };
}
