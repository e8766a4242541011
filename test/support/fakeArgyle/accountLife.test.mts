import * as life from './accountLife.mts';
import { type FakeArgyle, startFakeArgyle } from './index.mts';
import { newSubscription } from './webhooks.mts';

let argyle: FakeArgyle;
let user: string;

beforeEach(async () => {
	argyle = await startFakeArgyle();
	argyle.accounts.clear();
	user = [...argyle.users.keys()][0] ?? '';
	// Where nobody listens.
	const subscription = newSubscription({ name: 'All', url: 'http://127.0.0.1:9', events: ['*'] });
	argyle.subscriptions.set(subscription.id, subscription);
});
afterEach(async () => await argyle.stop());

async function read(path: string) {
	const response = await fetch(`${argyle.origin}/v2/${path}`, {
		headers: { Authorization: `Basic ${btoa(`${argyle.key.id}:${argyle.key.secret}`)}` },
	});
	return (await response.json()).results;
}

const now = expect.stringMatching(new RegExp(`^${new Date().toISOString().slice(0, 10)}`));
const connection = (status: string, error_code: string | null) => ({
	connection: { status, error_code, updated_at: now },
});

it.each<[string, () => Promise<unknown>, string[], object]>([
	[
		'connects',
		async () => await life.connectAccount(argyle, user),
		life.EVENTS_OF_CONNECTING,
		connection('connected', null),
	],
	[
		'fails',
		async () => await life.failAccount(argyle, user),
		life.EVENTS_OF_FAILING,
		connection('error', 'invalid_credentials'),
	],
])('that a user %s is in the lists, and sent', async (_, happens, events, record) => {
	await happens();
	expect(argyle.deliveries.map(({ event, status }) => [event, status])).toEqual(events.map((event) => [event, null]));
	expect((await read('accounts'))[0]).toMatchObject(record);
});
