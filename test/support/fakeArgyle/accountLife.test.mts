import * as life from './accountLife.mts';
import { type FakeArgyle, startFakeArgyle } from './index.mts';
import { resourceOf } from './resourceOfEvent.mts';
import { storeVerification } from './verifications.mts';
import { moveVerification } from './verificationSteps.mts';
import { newSubscription } from './webhooks.mts';

let argyle: FakeArgyle;
let user: string;

beforeEach(async () => {
	argyle = await startFakeArgyle();
	argyle.losesDeliveries = true;
	argyle.accounts.clear();
	user = [...argyle.users.keys()][0] ?? '';
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

async function move(state: string): Promise<void> {
	const verification = storeVerification(argyle, { user, report: { type: 'voie' } });
	moveVerification(argyle, verification, state, 'moved');
	await argyle.untilDelivered();
}

const now = expect.stringMatching(new RegExp(`^${new Date().toISOString().slice(0, 10)}`));
const connection = (status: string, error_code: string | null) => ({
	connection: { status, error_code, updated_at: now },
});

it.each<[string, () => Promise<unknown>, string[], string, object]>([
	[
		'connects',
		async () => await life.connectAccount(argyle, user),
		life.EVENTS_OF_CONNECTING,
		'accounts',
		connection('connected', null),
	],
	[
		'fails',
		async () => await life.failAccount(argyle, user),
		life.EVENTS_OF_FAILING,
		'accounts',
		connection('error', 'invalid_credentials'),
	],
	[
		'loses its connection',
		async () => await life.loseConnection(argyle, await life.connectAccount(argyle, user)),
		[...life.EVENTS_OF_CONNECTING, 'accounts.updated'],
		'accounts',
		connection('error', 'auth_required'),
	],
	[
		'is refreshed',
		async () => await life.connectAccount(argyle, user).then(async () => await life.refreshAccounts(argyle)),
		[...life.EVENTS_OF_CONNECTING, 'accounts.updated'],
		'accounts',
		{ availability: { gigs: { status: 'synced', available_count: 0, updated_at: now } } },
	],
	[
		'has its deposit switched',
		async () => await life.endDepositSwitch(argyle, await life.connectAccount(argyle, user), 'error'),
		[...life.EVENTS_OF_CONNECTING, 'direct_deposit_switches.failed'],
		'accounts',
		{ direct_deposit_switch: { status: 'error', error_code: 'confirmation_timeout' } },
	],
	[
		'has a document',
		async () => await life.addUpload(argyle, user),
		['user_uploads.added'],
		'user-uploads',
		{ created_at: now },
	],
	[
		'has a verification that is done',
		async () => await move('COMPLETED'),
		['verifications.updated'],
		'verifications?status_state=COMPLETED',
		{ updated_at: now },
	],
	[
		'has a verification that is cancelled',
		async () => await move('CANCELLED'),
		[],
		'verifications?status_state=CANCELLED',
		{ updated_at: now },
	],
])('that a user %s is in the lists, and sent', async (_, happens, events, path, record) => {
	await happens();
	expect(argyle.deliveries.map(({ event, status }) => [event, status])).toEqual(events.map((event) => [event, null]));
	expect((await read(path))[0]).toMatchObject(record);
});

it('the account that goes along with an event has microseconds, and no shifts', async () => {
	const account = await life.connectAccount(argyle, user);
	const { resource } = resourceOf(argyle.records, 'accounts.updated', { account }, { include_resource: true });
	expect(resource).toMatchObject({ id: account, connection: { updated_at: expect.stringMatching(/\.\d{6}Z$/) } });
	expect(resource).not.toHaveProperty('availability.shifts');
	expect(resourceOf(argyle.records, 'accounts.updated', { account }, {})).toEqual({});
});
