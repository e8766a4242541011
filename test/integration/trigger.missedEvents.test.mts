import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { EVENT_SOURCES } from '../../nodes/Argyle/api/eventSources';
import { resourceOf } from '../support/fakeArgyle/resourceOfEvent.mts';
import { eventBody } from '../support/fakeArgyle/signedEvent.mts';
import { advance } from '../support/fakeTime.mts';
import type { Json } from '../support/json.mts';
import { useWatchedTrigger } from '../support/n8nCore/watchedTrigger.mts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const { trigger, nextLook, looks, lookAfter, missForm, startAfter, startWatch, close, publish } = useWatchedTrigger();

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const now = () => ago(0);
const startedData = () => trigger.started().map(({ data }) => data);

interface Found {
	name: string;
	event: string;
	/** What is there before, such as an open verification. */
	begin: () => IDataObject;
	/** Returns the record that tells of the event. */
	happen: (before: IDataObject) => IDataObject;
	/** The data of a delivered event. */
	sent: (record: IDataObject) => Json;
	/** What is delivered in its place. */
	delivered?: (record: IDataObject) => { event: string; data: Json };
	/** What the data of one that is found has beside that. */
	found?: (record: IDataObject) => object;
}

/** Events of which a new record tells. */
const ADDED: Found[] = [
	{
		name: 'accounts.added',
		event: 'accounts.added',
		begin: () => ({}),
		happen: () => trigger.addRecord('accounts'),
		sent: ({ id, user }) => ({ user, account: id }),
	},
	{
		name: 'user_uploads.added',
		event: 'user_uploads.added',
		begin: () => ({}),
		happen: () => trigger.addRecord('user-uploads'),
		sent: ({ id, account }) => ({
			user: trigger.service.accounts.get(String(account))?.user,
			account,
			user_upload: id,
		}),
	},
];

const stateIn = (state: string) => ({ state, code: state.toLowerCase(), errors: [] });

const verification = (how: string, report?: object): Found => ({
	name: `verifications.updated, ${how}`,
	event: 'verifications.updated',
	begin: () =>
		trigger.addRecord('verifications', {
			status: stateIn('PENDING'),
			report: { id: null, type: 'voie' },
			updated_at: now(),
		}),
	happen: (record) => Object.assign(record, { status: stateIn(how), ...report, updated_at: now() }),
	sent: ({ id, user }) => ({ user, verification: id }),
	found: () => ({ status: how }),
});

const report = (status: string): Found => ({
	name: `reports.generated, ${status}`,
	event: 'reports.generated',
	begin: () => trigger.addRecord('reports', { status: 'generating' }),
	happen: (record) => Object.assign(record, { status }),
	sent: ({ user, type }) => ({ user, type }),
	found: ({ id }) => ({ report: id, status }),
});

/** Events of which a record tells that is finished once. */
const SETTLED: Found[] = [
	verification('COMPLETED', { report: { id: randomUUID(), type: 'voie' } }),
	verification('CANCELLED'),
	report('generated'),
	report('failed'),
];

const ERROR = { error_code: 'auth_required', error_message: 'Log in again.' };
const NO_ERROR = { error_code: null, error_message: null };

/** An event of which one of the account's two parts with a status tells. The account is months old. */
function change(
	event: string,
	part: 'connection' | 'direct_deposit_switch',
	status: 'connected' | 'error' | 'success',
	before: object = {},
): Found {
	return {
		name: event,
		event,
		begin() {
			const created_at = ago(100 * DAY);
			const none = { status: 'idle', updated_at: created_at };
			return trigger.addRecord('accounts', { created_at, connection: none, direct_deposit_switch: none, ...before });
		},
		happen: (record) =>
			Object.assign(record, {
				[part]: { status, ...(status === 'error' ? ERROR : NO_ERROR), updated_at: now() },
			}),
		sent: ({ id, user }) => ({ account: id, user }),
		// Such as a switch has it, which tells nothing of the account.
		delivered: ({ id, user }) => ({ event, data: { account: id, user, deposit_destination: randomUUID() } }),
		found: () => (status === 'error' ? ERROR : {}),
	};
}

const CHANGED: Found[] = [
	change('accounts.connected', 'connection', 'connected'),
	// One that was never connected before.
	change('accounts.failed', 'connection', 'error', { ongoing_refresh: { status: 'idle' }, scanned_at: null }),
	{
		...change('accounts.connection_lost', 'connection', 'error'),
		// With microseconds, where the list has milliseconds.
		delivered({ id, user }) {
			const config = { include_resource: true };
			const { resource } = resourceOf(trigger.service.records, 'accounts.updated', { account: id }, config);
			return { event: 'accounts.updated', data: { account: id, user, resource } };
		},
		found: () => ({ ...ERROR, lost_at: expect.any(String), ongoing_refresh_status: 'enabled' }),
	},
	change('direct_deposit_switches.completed', 'direct_deposit_switch', 'success'),
	change('direct_deposit_switches.failed', 'direct_deposit_switch', 'error'),
];

/** What Argyle's answer is to a delivery of the event, and what its execution goes on with. */
async function deliver({ event, sent, delivered }: Found, record: IDataObject) {
	const delivery = delivered?.(record) ?? { event, data: sent(record) };
	const { body, items = [] } = await trigger.deliver(eventBody(delivery.event, 'Forms', delivery.data));
	return { body, output: (await trigger.runExecute(items)).map(({ json }) => json) };
}

describe.each([...ADDED, ...SETTLED, ...CHANGED])('$name', ({ event, begin, happen, sent, found }) => {
	beforeEach(async () => await publish({ events: [event] }));

	it('one that was missed while n8n was stopped starts the workflow once, with the data of a delivered one', async () => {
		advance(MINUTE);
		const before = begin();
		await startWatch();
		await nextLook();
		await close();
		const record = happen(before);
		await lookAfter(10 * MINUTE, 4);
		const data = { ...sent(record), ...found?.(record) };
		const item = { event, name: 'n8n – Forms to CRM', data, reconstructed: true };
		expect(trigger.started()).toEqual([item]);
		expect(await nextLook()).toBeGreaterThan(4 * MINUTE);
		await lookAfter(MINUTE, 4);
		expect(trigger.started()).toEqual([item]);
	});

	it('one from before the publish does not start the workflow', async () => {
		happen(begin());
		advance(MINUTE);
		await publish({ events: [event] });
		await lookAfter(10 * MINUTE, 4);
		expect(trigger.started()).toEqual([]);
	});
});

/** Argyle sends no event for another end. */
const DELIVERED = SETTLED.filter(({ name }) => !/CANCELLED|failed/.test(name));

it.each([...ADDED, ...DELIVERED, ...CHANGED])(
	'$name, that was delivered is not started again, not even by another process',
	async (each) => {
		await publish({ events: [each.event] });
		advance(MINUTE);
		const record = each.happen(each.begin());
		const { output } = await deliver(each, record);
		expect(output).toMatchObject([{ event: each.event, data: each.sent(record) }]);
		await lookAfter(10 * MINUTE, 4);
		expect(trigger.started()).toEqual([]);
	},
);

it.each([
	...ADDED.map((each) => ({ ...each, answer: 'Already received' })),
	...DELIVERED.map((each) => ({ ...each, answer: 'Received' })),
])('$name, that was found is not started again when its delivery comes late', async ({ answer, ...each }) => {
	await publish({ events: [each.event] });
	advance(MINUTE);
	const record = each.happen(each.begin());
	await lookAfter(10 * MINUTE, 4);
	expect(trigger.started()).toHaveLength(1);
	expect(await deliver(each, record)).toEqual({ body: JSON.stringify({ message: answer }), output: [] });
});

describe.each(ADDED)('$name', ({ event, happen, sent }) => {
	const miss = () => sent(happen({}));

	it('one from before the publish that chose it does not start the workflow', async () => {
		advance(MINUTE);
		miss();
		const form = missForm();
		advance(MINUTE);
		await publish({ events: ['user_forms.submitted', event] }, 'update');
		advance(MINUTE);
		const later = miss();
		await startWatch();
		advance(2 * MINUTE);
		await nextLook();
		expect(startedData()).toEqual([expect.objectContaining({ user_form: form }), later]);
	});

	it('one of the very moment in which a publish chose it starts the workflow', async () => {
		advance(MINUTE);
		await publish({ events: ['user_forms.submitted', event] }, 'update');
		const { [event]: since } = Object(trigger.state.since);
		const record = Object.assign(happen({}), { created_at: new Date(since).toISOString() });
		await startWatch();
		advance(2 * MINUTE);
		await nextLook();
		expect(startedData()).toEqual([sent(record)]);
	});

	it.each<[string, string[], boolean]>([
		['', ['user_forms.submitted'], true],
		[', and there was none before', ['user_forms.submitted'], false],
		[', and before that it had been chosen', ['user_forms.submitted', event], true],
	])(
		'one is caught up since the publish that chose it, though static data is set back%s',
		async (_, first, isEarlier) => {
			await publish({ events: first });
			const before = structuredClone(trigger.staticData);
			await startWatch();
			advance(15 * MINUTE);
			await nextLook();
			await publish({ events: ['user_forms.submitted'] }, 'update');
			advance(MINUTE);
			if (isEarlier) miss();
			advance(MINUTE);
			await publish({ events: ['user_forms.submitted', event] }, 'update');
			await startWatch();
			await nextLook();
			advance(MINUTE);
			const later = miss();
			// As another trigger of the workflow does, which has begun with an older copy of all of it.
			await close();
			trigger.staticData = before;
			await lookAfter(10 * MINUTE, 4);
			expect(startedData()).toEqual([later]);
		},
	);

	it('one that an older version of the trigger did not know counts from the start of the new one', async () => {
		trigger.parameters = { ...trigger.parameters, events: ['user_forms.submitted', event] };
		advance(MINUTE);
		miss();
		await lookAfter(10 * MINUTE);
		advance(MINUTE);
		const later = miss();
		await looks(3);
		expect(startedData()).toEqual([later]);
	});
});

describe.each(SETTLED)('$name', ({ event, begin, happen, sent, found }) => {
	const itemOf = (record: IDataObject) => expect.objectContaining({ data: { ...sent(record), ...found?.(record) } });

	it('one that is settled hours later is found, though forms came meanwhile', async () => {
		await publish({ events: ['user_forms.submitted', event] });
		advance(MINUTE);
		const record = begin();
		await startWatch();
		for (let look = 0; look < 8; look++) {
			missForm();
			await nextLook();
		}
		await startAfter(120 * MINUTE);
		const forms = trigger.started().length;
		happen(record);
		await looks(4);
		const later = trigger.started().slice(forms);
		expect(later.filter((item) => item.event === event)).toEqual([itemOf(record)]);
	});

	it('one from the first of three days in which n8n was stopped is found, behind a page of later ones', async () => {
		await publish({ events: [event] });
		advance(MINUTE);
		const record = happen(begin());
		for (let count = 0; count < 210; count++) {
			advance((3 * DAY) / 210);
			begin();
		}
		await lookAfter(MINUTE, 4);
		expect(trigger.started()).toEqual([itemOf(record)]);
	});
});

it('each event that a list can show is a case of these tests, but forms and synced users, which have tests of their own', () => {
	const cases = [...ADDED, ...SETTLED, ...CHANGED].map(({ event }) => event);
	const others = ['user_forms.submitted', 'users.fully_synced'];
	expect(new Set([...cases, ...others])).toEqual(new Set(EVENT_SOURCES.map(({ event }) => event)));
});

describe('a scan of all accounts', () => {
	/** So many accounts, of which each is older than the one before. */
	const addOld = (count: number) =>
		Array.from({ length: count }, (_, place) =>
			trigger.addRecord('accounts', { created_at: ago(100 * DAY + place * MINUTE) }),
		);

	function connect(...records: IDataObject[]): void {
		for (const record of records) record.connection = { status: 'connected', updated_at: now() };
	}

	const startedAccounts = () => startedData().map((data) => Object(data).account);

	beforeEach(async () => {
		await publish({ events: ['accounts.connected', 'accounts.updated'] });
		advance(MINUTE);
	});

	it('finds nothing of accounts that were only refreshed', async () => {
		const at = now();
		for (const record of addOld(2))
			Object.assign(record, { updated_at: at, scanned_at: at, availability: { gigs: { updated_at: at } } });
		await lookAfter(10 * MINUTE);
		expect(trigger.started()).toEqual([]);
	});

	it('finds each change of one moment', async () => {
		const records = addOld(3);
		connect(...records);
		await lookAfter(10 * MINUTE);
		expect(startedAccounts().sort()).toEqual(records.map(({ id }) => id).sort());
	});

	it('that breaks off is made again, and loses nothing of what it has not read', async () => {
		const records = addOld(250);
		const changed = [records[0], records[249]];
		connect(...changed);
		trigger.service.faults.add({ kind: 'status', status: 400, method: 'GET', path: '/v2/accounts', skip: 1 });
		await lookAfter(10 * MINUTE, 2);
		expect(startedAccounts().sort()).toEqual(changed.map(({ id }) => id).sort());
	});
});

it('a verification that is delivered while it is open starts the workflow each time', async () => {
	await publish({ events: ['verifications.updated'] });
	const paused = verification('PAUSED');
	const record = trigger.addRecord('verifications', { status: stateIn('PAUSED') });
	for (let count = 0; count < 2; count++)
		expect((await deliver(paused, record)).output).toMatchObject([{ data: paused.sent(record) }]);
});

it('a verification starts the workflow in progress and completed, though n8n runs both afterwards', async () => {
	await publish({ events: ['verifications.updated'], options: { includeResource: true } });
	const { event, happen, sent } = verification('COMPLETED');
	const record = trigger.addRecord('verifications', { status: stateIn('PROCESSING') });
	const deliverRecord = async () =>
		await trigger.deliver(eventBody(event, 'Forms', { ...sent(record), resource: structuredClone(record) }));
	const inProgress = await deliverRecord();
	advance(20_000);
	happen(record);
	const completed = await deliverRecord();
	for (const { items = [] } of [inProgress, completed]) expect(await trigger.runExecute(items)).toHaveLength(1);
	await lookAfter(10 * MINUTE);
	expect(trigger.started()).toEqual([]);
});

const REPORT = randomUUID();

it.each([
	['another report', 2, [REPORT, randomUUID()]],
	['the same report', 1, [REPORT, REPORT]],
])('a verification that is completed again, with %s, starts the workflow %i times', async (_, count, ids) => {
	await publish({ events: ['verifications.updated'] });
	const record = verification('PENDING').begin();
	let ran = 0;
	for (const id of ids) {
		Object.assign(record, { status: stateIn('PROCESSING') });
		await deliver(verification('PROCESSING'), record);
		advance(MINUTE);
		Object.assign(record, { status: stateIn('COMPLETED'), report: { id, type: 'voie' }, updated_at: now() });
		ran += (await deliver(verification('COMPLETED'), record)).output.length;
		advance(MINUTE);
	}
	expect(ran).toBe(count);
});

it.each([
	['accounts.added', {}],
	['accounts.connected', { connection: { status: 'connected' } }],
	['accounts.connection_lost', { connection: { status: 'error', error_code: 'invalid_credentials' } }],
])('%s brings its record with Include Resource, also when it was missed', async (event, fields) => {
	for (const options of [{}, { includeResource: true }]) {
		// n8n hides the option for Connection Lost alone.
		await publish({ events: [event, 'accounts.updated'], options });
		advance(MINUTE);
		const connection = { ...Object(Object(fields).connection), updated_at: now() };
		const record = trigger.addRecord('accounts', { scanned_at: now(), connection });
		await lookAfter(10 * MINUTE);
		expect(Object(trigger.started().at(-1)?.data).resource).toEqual(options.includeResource ? record : undefined);
	}
	expect(trigger.started()).toHaveLength(2);
});

it('a bank account and a card that are switched together each start the workflow once', async () => {
	const event = 'direct_deposit_switches.completed';
	await publish({ events: [event] });
	advance(MINUTE);
	const direct_deposit_switch = { status: 'success', updated_at: now() };
	const { id, user } = trigger.addRecord('accounts', { direct_deposit_switch });
	const ids = { account: id, user };
	const sent = ['bank_account', 'card'].map((type) => ({ ...ids, deposit_destination: randomUUID(), type }));
	const ran: unknown[] = [];
	// Argyle repeats both.
	for (const data of [...sent, ...sent]) {
		const { items = [] } = await trigger.deliver(eventBody(event, 'Forms', data));
		ran.push(...(await trigger.runExecute(items)).map(({ json }) => json.data));
	}
	expect(ran).toEqual(sent);
	await lookAfter(10 * MINUTE);
	expect(trigger.started()).toEqual([]);
});

it.each([
	['accounts', 'can not show at the moment', 503, 60 * MINUTE],
	['verifications', 'refuses to this key', 403, 14 * MINUTE],
])(
	'a list of %s that Argyle %s keeps no missed form from starting the workflow, and becomes a failed execution',
	async (list, _, status, afterMs) => {
		const fault = { kind: 'status', status, method: 'GET', path: `/v2/${list}`, times: Infinity } as const;
		await publish({ events: ['*'] });
		advance(MINUTE);
		missForm();
		trigger.service.addFault(fault);
		await lookAfter(10 * MINUTE);
		const since = Date.now();
		for (let look = 0; look < 20 && trigger.failedExecutions.length === 0; look++) await nextLook();
		expect(Date.now() - since).toBeGreaterThanOrEqual(afterMs);
		expect(Date.now() - since).toBeLessThan(afterMs + 6 * MINUTE);
		const message = expect.stringMatching(
			new RegExp(
				`^n8n can't read Argyle's list of ${list}, so missed events from that list don't start this workflow: `,
			),
		);
		expect(trigger.failedExecutions).toMatchObject([{ message }]);
		expect(trigger.started()).toHaveLength(1);
		// It can be read for a day. When it is refused again, the time until that is reported begins anew.
		trigger.service.clearFaults();
		await nextLook();
		advance(DAY);
		trigger.service.addFault(fault);
		await nextLook();
		expect(trigger.failedExecutions).toHaveLength(1);
	},
);

it('a key of another account that lacks the product of a list can be published, and the other lists are read', async () => {
	await publish({ events: ['*'] });
	await startWatch();
	await nextLook();
	trigger.useAnotherKey();
	trigger.service.userForms.clear();
	trigger.service.addFault({ kind: 'status', status: 403, path: '/v2/verifications', times: Infinity });
	await publish({ events: ['*'] }, 'update');
	await startWatch();
	await nextLook();
	missForm();
	advance(2 * MINUTE);
	await looks(2);
	expect(trigger.started()).toHaveLength(1);
});

it('an account that came with an uploaded document is no account that was added', async () => {
	await publish({ events: ['accounts.added'] });
	advance(MINUTE);
	trigger.addRecord('accounts', { source: 'doc_upload_item' });
	await lookAfter(10 * MINUTE);
	expect(trigger.started()).toEqual([]);
});

it('with Catch Up off an added account is neither looked for nor remembered', async () => {
	await publish({ events: ['accounts.added'], options: { catchUp: false } });
	const body = eventBody('accounts.added', 'Forms', { account: randomUUID(), user: randomUUID() });
	for (let count = 0; count < 2; count++) expect((await trigger.deliver(body)).body).toContain('Received');
});

describe('users.fully_synced', () => {
	const user = randomUUID();
	const DATA_SETS = ['gigs', 'shifts', 'paystubs', 'identities', 'vehicles'];

	/** An account of the user, whose data came now unless `fields` say otherwise. */
	function addAccount(fields: object = {}): IDataObject {
		const state = { status: 'synced', updated_at: now() };
		const availability = { ...Object.fromEntries(DATA_SETS.map((name) => [name, state])), user_forms: null };
		const login = {
			created_at: ago(MINUTE),
			connection: { status: 'connected', updated_at: ago(MINUTE) },
			availability,
		};
		const owner = { account: randomUUID(), user };
		const [record = {}] = trigger.service.records.add('accounts', 1, owner, { ...login, ...fields });
		return record;
	}

	const inProgress = { availability: { gigs: { status: 'in_progress', updated_at: null }, shifts: null } };
	const failed = { connection: { status: 'error' }, availability: { gigs: null, paystubs: null } };

	const itemOf = (accounts: IDataObject[]) => ({
		event: 'users.fully_synced',
		name: 'n8n – Forms to CRM',
		data: {
			user,
			resource: {
				id: user,
				accounts_connected: expect.arrayContaining(accounts.map(({ id }) => id)),
				items_connected: ['item_000001422'],
				employers_connected: ['Whole Goods'],
			},
		},
		reconstructed: true,
	});

	const restart = async () => await lookAfter(10 * MINUTE);

	beforeEach(async () => {
		await publish({ events: ['users.fully_synced'] });
		advance(2 * MINUTE);
	});

	it('one that was missed while n8n was stopped starts the workflow once, and again after a further account', async () => {
		const accounts = [addAccount(), addAccount()];
		addAccount(failed);
		await restart();
		expect(trigger.started()).toEqual([itemOf(accounts)]);
		await restart();
		expect(trigger.started()).toHaveLength(1);
		accounts.push(addAccount());
		await restart();
		expect(trigger.started().slice(1)).toEqual([itemOf(accounts)]);
	});

	it('one that was delivered is not started again, nor taken when it comes after it was found', async () => {
		const ids = [addAccount(), addAccount()].map(({ id }) => id).reverse();
		const deliver = async (accounts_connected: unknown[]) =>
			await trigger.deliver(
				eventBody('users.fully_synced', 'Forms', { user, resource: { id: user, accounts_connected } }),
			);
		const { items = [] } = await deliver(ids);
		expect(await trigger.runExecute(items)).toHaveLength(1);
		await restart();
		expect(trigger.started()).toEqual([]);
		ids.unshift(addAccount().id);
		await restart();
		expect(trigger.started()).toHaveLength(1);
		expect((await deliver(ids)).body).toContain('Already received');
	});

	it.each<[string, () => unknown]>([
		['an account is still being synced', () => [addAccount(), addAccount(inProgress)]],
		['the data of an account did not come yet', () => [addAccount(), addAccount({ availability: {} })]],
		['an account is being connected again', () => addAccount({ connection: { status: 'connecting' } })],
		['no login was accepted', () => addAccount(failed)],
		['old accounts were refreshed', () => addAccount({ created_at: ago(2 * DAY) })],
	])('one is not found where %s', async (_, happen) => {
		happen();
		await restart();
		expect(trigger.started()).toEqual([]);
	});

	it('one is found although a document was uploaded', async () => {
		const account = addAccount();
		addAccount({ source: 'doc_upload_item', availability: {} });
		await restart();
		expect(trigger.started()).toEqual([itemOf([account])]);
	});

	it('one from before the publish does not start the workflow, though a refresh moved its times', async () => {
		const { availability } = addAccount();
		advance(2 * MINUTE);
		await publish({ events: ['users.fully_synced'] });
		advance(MINUTE);
		Object.assign(Object(availability), { gigs: { status: 'synced', updated_at: now() } });
		await restart();
		expect(trigger.started()).toEqual([]);
	});
});
