import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { resourceOf } from '../support/fakeArgyle/resourceOfEvent.mts';
import { eventBody } from '../support/fakeArgyle/signedEvent.mts';
import { advance } from '../support/fakeTime.mts';
import { processedValues } from '../support/n8nCore/processedValues.mts';
import { useWatchedTrigger } from '../support/n8nCore/watchedTrigger.mts';

const LOST = 'accounts.connection_lost';
const HOUR = 3_600_000;

const { trigger, startAfter, startWatch, publish } = useWatchedTrigger();

const owner = { account: '', user: '' };

/** Publishes the trigger for an account that is connected. */
async function publishFor(events: string[], options: IDataObject = {}): Promise<void> {
	await publish({ events, options });
	Object.assign(owner, { account: randomUUID(), user: randomUUID() });
	trigger.service.records.addAccount({ ...owner });
}

/** Argyle delivers Account Updated with the account as it is now. Returns what the workflow goes on with. */
async function update(event = 'accounts.updated'): Promise<IDataObject[]> {
	const config = { include_resource: true };
	const data = { ...owner, ...resourceOf(trigger.service.records, event, owner, config) };
	const { items } = await trigger.deliver(eventBody(event, 'Forms', data));
	return items === undefined ? [] : (await trigger.runExecute(items)).map(({ json }) => json);
}

const now = () => new Date(Date.now()).toISOString();

function connect(status: string, code: string | null = null, updated_at: string | null = now()): void {
	const connection = { status, error_code: code, error_message: code && `Argyle says: ${code}.`, updated_at };
	Object.assign(trigger.service.accounts.get(owner.account) ?? {}, { connection, updated_at });
}

async function lose(): Promise<IDataObject[]> {
	connect('error', 'auth_required');
	return await update();
}

beforeEach(async () => await publishFor([LOST]));

it('subscribes to Account Updated with its record, because Argyle has no event for a lost connection', () => {
	const [{ events, config } = { events: [], config: {} }] = trigger.ownSubscriptions();
	expect({ events, config }).toEqual({ events: ['accounts.updated'], config: { include_resource: true } });
});

it('a lost connection starts the workflow, with its reason', async () => {
	const [item] = await lose();
	expect(item).toEqual({
		event: LOST,
		name: 'Forms',
		data: {
			...owner,
			error_code: 'auth_required',
			error_message: 'Argyle says: auth_required.',
			lost_at: expect.stringMatching(/^\d{4}-.*Z$/),
			ongoing_refresh_status: 'enabled',
		},
	});
});

it('a lost connection starts the workflow once, however often the account is updated, also after a restart', async () => {
	expect(await lose()).toHaveLength(1);
	expect(await update()).toEqual([]);
	await startAfter(24 * HOUR);
	expect(await update()).toEqual([]);
});

it('a lost connection that Argyle does not date starts the workflow once', async () => {
	connect('error', 'auth_required', null);
	expect(await update()).toHaveLength(1);
	advance(24 * HOUR);
	expect(await update()).toEqual([]);
});

it('a lost connection of which n8n remembers nothing any more does not start the workflow two days later', async () => {
	expect(await lose()).toHaveLength(1);
	// Each refresh tells of it again, and n8n's store forgets it when 2,000 other events have come.
	await startAfter(48 * HOUR);
	processedValues.rows.clear();
	expect(await update()).toEqual([]);
});

it('a person who listens for a test event gets a lost connection, however old it is', async () => {
	connect('error', 'auth_required');
	const lost = { ...owner };
	advance(48 * HOUR);
	await publishFor([LOST]);
	Object.assign(owner, lost);
	trigger.isTest = true;
	await trigger.activate();
	expect(await update()).toHaveLength(1);
});

it('a connection that is lost again starts the workflow again', async () => {
	expect(await lose()).toHaveLength(1);
	advance(HOUR);
	connect('connected');
	expect(await update()).toEqual([]);
	advance(HOUR);
	expect(await lose()).toHaveLength(1);
});

it('a connection that was lost before the publish starts nothing when its account is refreshed', async () => {
	connect('error', 'auth_required');
	const { account, user } = owner;
	advance(HOUR);
	await publishFor([LOST]);
	Object.assign(owner, { account, user });
	expect(await update()).toEqual([]);
});

it('a connection that was lost before Catch Up was turned off starts nothing, though another trigger sets static data back', async () => {
	const before = trigger.staticData['node:Node'];
	advance(2 * HOUR);
	connect('error', 'auth_required');
	advance(2 * HOUR);
	await publish({ options: { catchUp: false } }, 'update');
	await startWatch();
	trigger.staticData['node:Node'] = before;
	expect(await update()).toEqual([]);
});

it.each([
	['a failed login is no connection that was lost', null, 0],
	['nor where Argyle dates the scan of an account that was never scanned in 1970', '1970-01-01T00:00:00.000Z', 0],
	['a connection of which Argyle has scanned the data is lost, though its refresh is idle', '2026-10-01T09:12:44Z', 1],
])('%s', async (_, scanned_at, count) => {
	const account = trigger.service.accounts.get(owner.account);
	Object.assign(account ?? {}, { ongoing_refresh: { status: 'idle' }, scanned_at });
	expect(await lose()).toHaveLength(count);
});

it('with Account Updated both start the workflow, and bring the record only with Include Resource', async () => {
	for (const includeResource of [false, true]) {
		await publishFor([LOST, 'accounts.updated'], { includeResource });
		const items = await lose();
		expect(items.map(({ event }) => event)).toEqual(['accounts.updated', LOST]);
		for (const { data } of items) expect(Object.hasOwn(Object(data), 'resource')).toBe(includeResource);
	}
});

it('another event that is chosen comes without the record that the subscription has for a lost connection', async () => {
	await publishFor([LOST, 'accounts.connected'], {});
	expect(await update('accounts.connected')).toEqual([{ event: 'accounts.connected', name: 'Forms', data: owner }]);
});
