import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { resourceOf } from '../support/fakeArgyle/resourceOfEvent.mts';
import { eventBody } from '../support/fakeArgyle/signedEvent.mts';
import { advance } from '../support/fakeTime.mts';
import { useWatchedTrigger } from '../support/n8nCore/watchedTrigger.mts';
import { root } from '../support/paths.mts';

const LOST = 'accounts.connection_lost';
const MINUTE = 60_000;

/** A connection as it is lost a day after a one-time verification. */
const FIXTURE = join(root, 'test', 'support', 'fakeArgyle', 'fixtures', 'accounts.updated.lost.json');
const { connection, scanned_at } = JSON.parse(readFileSync(FIXTURE, 'utf8')).data.resource;

const { trigger, startWatch, nextLook, lookAfter, close, publish } = useWatchedTrigger({ isPublished: false });

/** What Argyle says of an account's refresh, and what the item says of it. */
const REFRESHES: Array<[refresh: IDataObject | undefined, status: string | null]> = [
	[{ status: 'enabled' }, 'enabled'],
	[{ status: 'disabled' }, 'disabled'],
	[{ status: 'idle' }, 'idle'],
	[undefined, null],
];

/** An account that has lost its connection just now. */
function addLost(refresh: IDataObject | undefined): IDataObject {
	advance(1_000);
	const updated_at = new Date(Date.now()).toISOString();
	return trigger.addRecord('accounts', {
		...{ scanned_at, ongoing_refresh: refresh },
		connection: { ...connection, updated_at },
	});
}

const addAll = () => REFRESHES.map(([refresh]) => addLost(refresh));

/** Argyle delivers Account Updated. Returns what the workflow goes on with. */
async function deliver({ id, user }: IDataObject): Promise<IDataObject[]> {
	const data = { account: id, user };
	const resource = resourceOf(trigger.service.records, 'accounts.updated', data, { include_resource: true });
	const { items = [] } = await trigger.deliver(eventBody('accounts.updated', 'Forms', { ...data, ...resource }));
	return (await trigger.runExecute(items)).map(({ json }) => json);
}

async function begin(options: IDataObject, more: IDataObject = {}): Promise<void> {
	trigger.parameters = { events: [LOST], options, ...more };
	if (more.receiveBy === 'polling') await startWatch();
	else await trigger.activate();
	advance(MINUTE);
}

const POLLING = { receiveBy: 'polling' };

/** Each way in which lost connections come. Returns what starts the workflow. */
const WAYS: Array<[way: string, startedWith: (options: IDataObject) => Promise<IDataObject[]>]> = [
	[
		'delivered',
		async (options) => {
			await begin(options);
			const started: IDataObject[] = [];
			for (const account of addAll()) started.push(...(await deliver(account)));
			return started;
		},
	],
	[
		'found by a scan',
		async (options) => {
			await begin(options);
			addAll();
			await lookAfter(10 * MINUTE);
			return trigger.started();
		},
	],
	[
		'checked for',
		async (options) => {
			await begin(options, POLLING);
			addAll();
			await nextLook();
			return trigger.started();
		},
	],
];

const statuses = (items: IDataObject[]) => items.map(({ data }) => Object(data).ongoing_refresh_status);

const SETTINGS: Array<[setting: string, options: IDataObject, started: Array<string | null>]> = [
	['not added', {}, ['enabled', 'idle', null]],
	['on', { onlyRefreshedAccounts: true }, ['enabled', 'idle', null]],
	['off', { onlyRefreshedAccounts: false }, ['enabled', 'disabled', 'idle', null]],
	['off by an expression', { onlyRefreshedAccounts: '={{ "false" }}' }, ['enabled', 'disabled', 'idle', null]],
];

const CASES = WAYS.flatMap(([way, startedWith]) =>
	SETTINGS.map(([setting, options, started]) => ({ way, setting, started, startedWith, options })),
);

it.each(CASES)(
	'with Only Refreshed Accounts $setting, lost connections that are $way start the workflow for accounts that are $started',
	async ({ startedWith, options, started }) => expect(statuses(await startedWith(options))).toEqual(started),
);

it('an account that is left out is told of as one that is connected, and Account Updated still starts the workflow', async () => {
	await begin({});
	const account = addLost({ status: 'disabled' });
	const data = { account: account.id, user: account.user, resource: account };
	const { status, body } = await trigger.deliver(eventBody('accounts.updated', 'Forms', data));
	expect([status, body]).toEqual([200, '{"message":"No connection was lost"}']);
	await publish({ events: [LOST, 'accounts.updated'] });
	expect((await deliver(account)).map(({ event }) => event)).toEqual(['accounts.updated']);
});

it('a test shows a lost connection of an account that is left out only where the option is off', async () => {
	for (const onlyRefreshedAccounts of [true, false]) {
		trigger.isTest = true;
		trigger.parameters = { events: [LOST], options: { onlyRefreshedAccounts } };
		await trigger.activate();
		const account = addLost({ status: 'disabled' });
		expect(await deliver(account)).toHaveLength(onlyRefreshedAccounts ? 0 : 1);
		trigger.parameters = { ...trigger.parameters, ...POLLING };
		const [item] = await trigger.runExecute([{ json: {} }], 'manual');
		expect(item?.json).toMatchObject({
			event: LOST,
			data: {
				error_code: 'auth_required',
				error_message: expect.stringContaining('og in again.'),
				lost_at: expect.stringMatching(/Z$/),
				ongoing_refresh_status: onlyRefreshedAccounts ? 'enabled' : 'disabled',
			},
		});
		expect(/^SAMPLE/.test(String(item?.json.name))).toBe(onlyRefreshedAccounts);
	}
});

it('a publish with Checking for Events refuses an expression for Only Refreshed Accounts that gives neither true nor false', async () => {
	const publishing = begin({ onlyRefreshedAccounts: '={{ "perhaps" }}' }, POLLING);
	await expect(publishing).rejects.toThrow('Only Refreshed Accounts is neither on nor off');
});

it('what the option has left out starts the workflow when a later publish turns the option off', async () => {
	await begin({}, POLLING);
	addAll();
	await nextLook();
	await close();
	trigger.activationMode = 'update';
	await begin({ onlyRefreshedAccounts: false }, POLLING);
	await nextLook();
	expect(statuses(trigger.started())).toEqual(['enabled', 'idle', null, 'disabled']);
});
