import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { EVENT_SOURCES } from '../../nodes/Argyle/api/eventSources';
import type { RecordTypeName } from '../support/fakeArgyle/recordTypes.mts';
import { resourceOf } from '../support/fakeArgyle/resourceOfEvent.mts';
import { eventBody } from '../support/fakeArgyle/signedEvent.mts';
import { advance } from '../support/fakeTime.mts';
import type { Json } from '../support/json.mts';
import { useWatchedTrigger } from '../support/n8nCore/watchedTrigger.mts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const { trigger, nextLook, missForm, startAfter, startWatch, close } = useWatchedTrigger();

/** Publishes the trigger with other events. */
async function publish(events: string[], activationMode: 'activate' | 'update' = 'activate'): Promise<void> {
	await close();
	await trigger.runHook('delete');
	Object.assign(trigger, { activationMode, parameters: { ...trigger.parameters, events } });
	await trigger.activate();
}

/** What all executions have gone on with. */
const started = () => trigger.emitted.flatMap(({ output = [] }) => output);

interface Case {
	event: string;
	list: RecordTypeName;
	/** The event's data of a record. */
	data: (record: IDataObject) => IDataObject;
}

const CASES: Case[] = [
	{ event: 'accounts.added', list: 'accounts', data: ({ id, user }) => ({ user, account: id }) },
	{ event: 'user_uploads.added', list: 'user-uploads', data: ({ id, account }) => ({ account, user_upload: id }) },
];

describe.each(CASES)('$event', ({ event, list, data }) => {
	/** A record of a new event that is not delivered. */
	function miss(fields: object = {}): { record: IDataObject; user: string; sent: IDataObject } {
		const owner = { account: randomUUID(), user: randomUUID() };
		const created_at = new Date(Date.now()).toISOString();
		const [record = {}] = trigger.service.records.add(list, 1, owner, { created_at, ...fields });
		return { record, user: owner.user, sent: { user: owner.user, ...data(record) } };
	}

	const deliver = async (sent: IDataObject) => await trigger.deliver(eventBody(event, 'Forms', { ...sent }));

	beforeEach(async () => await publish([event]));

	it('one that was missed while n8n was stopped starts the workflow once, with the data of a delivered one', async () => {
		advance(MINUTE);
		const { user, sent } = miss();
		await startAfter(10 * MINUTE);
		await nextLook();
		const item = { event, name: 'n8n – Forms to CRM', data: { user, ...sent }, reconstructed: true };
		expect(started()).toEqual([item]);
		expect(await nextLook()).toBeGreaterThan(4 * MINUTE);
		await startAfter(MINUTE);
		await nextLook();
		expect(started()).toEqual([item]);
	});

	it('one that was delivered is not started again, not even by another process', async () => {
		advance(MINUTE);
		const { sent } = miss();
		const { items = [] } = await deliver(sent);
		expect(await trigger.runExecute(items)).toMatchObject([{ json: { data: sent } }]);
		await startAfter(10 * MINUTE);
		await nextLook();
		expect(started()).toEqual([]);
	});

	it('one that was found is not taken again when its delivery comes late', async () => {
		advance(MINUTE);
		const { sent } = miss();
		await startAfter(10 * MINUTE);
		await nextLook();
		expect(started()).toHaveLength(1);
		expect((await deliver(sent)).body).toContain('Already received');
	});

	it('one from before the publish that chose it does not start the workflow', async () => {
		await publish(['user_forms.submitted']);
		advance(MINUTE);
		miss();
		const form = missForm();
		advance(MINUTE);
		await publish(['user_forms.submitted', event], 'update');
		advance(MINUTE);
		const { sent } = miss();
		await startWatch();
		advance(2 * MINUTE);
		await nextLook();
		expect(started().map((item) => item.data)).toEqual([expect.objectContaining({ user_form: form }), sent]);
	});

	it('one of the very moment in which a publish chose it starts the workflow', async () => {
		await publish(['user_forms.submitted']);
		advance(MINUTE);
		await publish(['user_forms.submitted', event], 'update');
		const { [event]: since } = Object(trigger.state.wantedSince);
		const { sent } = miss({ created_at: new Date(since).toISOString() });
		await startWatch();
		advance(2 * MINUTE);
		await nextLook();
		expect(started().map((item) => item.data)).toEqual([sent]);
	});

	it.each<[string, string[], boolean]>([
		['', ['user_forms.submitted'], true],
		[', and there was none before', ['user_forms.submitted'], false],
		[', and before that it had been chosen', ['user_forms.submitted', event], true],
	])(
		'one is caught up since the publish that chose it, though static data is set back%s',
		async (_, first, isEarlier) => {
			await publish(first);
			const before = structuredClone(trigger.staticData);
			await startWatch();
			advance(15 * MINUTE);
			await nextLook();
			await publish(['user_forms.submitted'], 'update');
			advance(MINUTE);
			for (const fields of isEarlier ? [{}, { created_at: '2099-01-01T00:00:00.000Z' }] : []) miss(fields);
			advance(MINUTE);
			await publish(['user_forms.submitted', event], 'update');
			await startWatch();
			await nextLook();
			advance(MINUTE);
			const { sent } = miss();
			// As another trigger of the workflow does, which has begun with an older copy of all of it.
			await close();
			trigger.staticData = before;
			await startAfter(10 * MINUTE);
			for (let look = 0; look < 4; look++) await nextLook();
			expect(started().map((item) => item.data)).toEqual([sent]);
		},
	);

	it('one that an older version of the trigger did not know counts from the start of the new one', async () => {
		await publish(['user_forms.submitted']);
		trigger.parameters = { ...trigger.parameters, events: ['user_forms.submitted', event] };
		advance(MINUTE);
		miss();
		await startAfter(10 * MINUTE);
		await nextLook();
		advance(MINUTE);
		const { sent } = miss();
		for (let look = 0; look < 3; look++) await nextLook();
		expect(started().map((item) => item.data)).toEqual([sent]);
	});
});

interface SettledCase {
	event: string;
	list: RecordTypeName;
	open: object;
	settle: (record: IDataObject) => void;
	/** What the delivered event has. */
	sent: (record: IDataObject) => IDataObject;
	/** What the one that is found has beside that. */
	found: (record: IDataObject) => IDataObject;
}

const stateIn = (state: string) => ({ state, code: state.toLowerCase(), errors: [] });

function change(record: IDataObject, fields: object): void {
	Object.assign(record, fields, 'updated_at' in record && { updated_at: new Date(Date.now()).toISOString() });
}

const VERIFICATION = {
	event: 'verifications.updated',
	list: 'verifications',
	open: { status: stateIn('PENDING'), report: { id: null, type: 'voie' } },
	sent: ({ id, user }) => ({ user, verification: id }),
} as const satisfies Partial<SettledCase>;

const REPORT = {
	event: 'reports.generated',
	list: 'reports',
	open: { status: 'generating' },
	sent: ({ user, type }) => ({ user, type }),
} as const satisfies Partial<SettledCase>;

const SETTLED: Array<SettledCase & { how: string }> = [
	{
		...VERIFICATION,
		how: 'COMPLETED',
		settle: (record) => change(record, { status: stateIn('COMPLETED'), report: { id: randomUUID(), type: 'voie' } }),
		found: () => ({ status: 'COMPLETED' }),
	},
	{
		...VERIFICATION,
		how: 'CANCELLED',
		settle: (record) => change(record, { status: stateIn('CANCELLED') }),
		found: () => ({ status: 'CANCELLED' }),
	},
	{
		...REPORT,
		how: 'generated',
		settle: (record) => change(record, { status: 'generated' }),
		found: ({ id }) => ({ report: id, status: 'generated' }),
	},
	{
		...REPORT,
		how: 'failed',
		settle: (record) => change(record, { status: 'failed' }),
		found: ({ id }) => ({ report: id, status: 'failed' }),
	},
];

describe.each(SETTLED)('$event, $how', ({ event, list, open, settle, sent, found }) => {
	/** A record that is not settled yet. */
	function order(): IDataObject {
		const owner = { account: randomUUID(), user: randomUUID() };
		const now = new Date(Date.now()).toISOString();
		const times = { created_at: now, ...(list === 'reports' ? {} : { updated_at: now }) };
		const [record = {}] = trigger.service.records.add(list, 1, owner, { ...times, ...open });
		return record;
	}

	const itemOf = (record: IDataObject) => expect.objectContaining({ data: { ...sent(record), ...found(record) } });

	beforeEach(async () => await publish([event]));

	it('one that was settled while n8n was stopped starts the workflow once', async () => {
		advance(MINUTE);
		const record = order();
		await startWatch();
		await nextLook();
		await startAfter(MINUTE);
		settle(record);
		for (let look = 0; look < 4; look++) await nextLook();
		expect(started()).toEqual([itemOf(record)]);
		expect(started()[0]).toMatchObject({ event, name: 'n8n – Forms to CRM', reconstructed: true });
		await startAfter(MINUTE);
		for (let look = 0; look < 4; look++) await nextLook();
		expect(started()).toHaveLength(1);
	});

	it('one that is settled hours later is found, though forms came meanwhile', async () => {
		await publish(['user_forms.submitted', event], 'update');
		advance(MINUTE);
		const record = order();
		await startWatch();
		for (let look = 0; look < 8; look++) {
			missForm();
			await nextLook();
		}
		await startAfter(120 * MINUTE);
		const forms = started().length;
		settle(record);
		for (let look = 0; look < 4; look++) await nextLook();
		expect(
			started()
				.slice(forms)
				.filter((item) => item.event === event),
		).toEqual([itemOf(record)]);
	});

	it('one from the first of three days in which n8n was stopped is found, behind a page of later ones', async () => {
		advance(MINUTE);
		const record = order();
		settle(record);
		for (let count = 0; count < 210; count++) {
			advance((3 * DAY) / 210);
			order();
		}
		await startAfter(MINUTE);
		for (let look = 0; look < 4; look++) await nextLook();
		expect(started()).toEqual([itemOf(record)]);
	});

	it('one that was settled before the publish does not start the workflow', async () => {
		const record = order();
		settle(record);
		advance(MINUTE);
		await trigger.runHook('delete');
		await publish([event]);
		advance(MINUTE);
		await startWatch();
		for (let look = 0; look < 4; look++) await nextLook();
		expect(started()).toEqual([]);
	});
});

describe.each(SETTLED.filter(({ how }) => !['CANCELLED', 'failed'].includes(how)))(
	'$event, $how and delivered',
	({ event, list, settle, sent }) => {
		async function addSettled(): Promise<IDataObject> {
			await publish([event]);
			advance(MINUTE);
			const owner = { account: randomUUID(), user: randomUUID() };
			const [record = {}] = trigger.service.records.add(list, 1, owner, {
				created_at: new Date(Date.now()).toISOString(),
			});
			settle(record);
			return record;
		}

		const deliver = async (record: IDataObject) => {
			const { items = [] } = await trigger.deliver(eventBody(event, 'Forms', sent(record)));
			return await trigger.runExecute(items);
		};

		it('before a look does not start the workflow again, not even by another process', async () => {
			const record = await addSettled();
			expect(await deliver(record)).toMatchObject([{ json: { data: sent(record) } }]);
			await startAfter(10 * MINUTE);
			for (let look = 0; look < 4; look++) await nextLook();
			expect(started()).toEqual([]);
		});

		it('after it was found does not start the workflow again', async () => {
			const record = await addSettled();
			await startAfter(10 * MINUTE);
			for (let look = 0; look < 4; look++) await nextLook();
			expect(started()).toHaveLength(1);
			expect(await deliver(record)).toEqual([]);
		});
	},
);

interface ChangedCase {
	event: string;
	/** Which of the account's two parts with a status changes. */
	part: 'connection' | 'direct_deposit_switch';
	status: 'connected' | 'error' | 'success';
	/** Whether the account was never connected before. */
	isNew?: true;
	/** The event's data beside the account and its user. */
	data?: object;
}

const ERROR = { error_code: 'auth_required', error_message: 'Log in again.' };

const CHANGED: ChangedCase[] = [
	{ event: 'accounts.connected', part: 'connection', status: 'connected' },
	{ event: 'accounts.failed', part: 'connection', status: 'error', isNew: true, data: ERROR },
	{
		event: 'accounts.connection_lost',
		part: 'connection',
		status: 'error',
		data: { ...ERROR, lost_at: expect.any(String) },
	},
	{ event: 'direct_deposit_switches.completed', part: 'direct_deposit_switch', status: 'success' },
	{ event: 'direct_deposit_switches.failed', part: 'direct_deposit_switch', status: 'error', data: ERROR },
];

describe.each(CHANGED)('$event', ({ event, part, status, isNew, data }) => {
	/** An account that is months old, whose status changes now. */
	function changeOld(): IDataObject {
		const owner = { account: randomUUID(), user: randomUUID() };
		const created_at = new Date(Date.now() - 100 * DAY).toISOString();
		const none = { status: 'idle', updated_at: created_at };
		const before = {
			...{ connection: none, direct_deposit_switch: none },
			...(isNew && { ongoing_refresh: { status: 'idle' }, scanned_at: null }),
		};
		const [record = {}] = trigger.service.records.add('accounts', 1, owner, { created_at, ...before });
		const error = status === 'error' ? ERROR : { error_code: null, error_message: null };
		const changed = { status, ...error, updated_at: new Date(Date.now()).toISOString() };
		return Object.assign(record, { [part]: changed });
	}

	beforeEach(async () => await publish([event]));

	it('one that was missed while n8n was stopped starts the workflow once, however old the account', async () => {
		advance(MINUTE);
		const { id, user } = changeOld();
		await startAfter(10 * MINUTE);
		await nextLook();
		const item = { event, name: 'n8n – Forms to CRM', data: { user, account: id, ...data }, reconstructed: true };
		expect(started()).toEqual([item]);
		await startAfter(MINUTE);
		await nextLook();
		expect(started()).toEqual([item]);
	});

	it('one from before the publish does not start the workflow', async () => {
		changeOld();
		advance(MINUTE);
		await publish([event]);
		await startAfter(10 * MINUTE);
		await nextLook();
		expect(started()).toEqual([]);
	});

	it('one that was delivered is not started again', async () => {
		advance(MINUTE);
		const { id, user } = changeOld();
		const isLoss = event === 'accounts.connection_lost';
		// With microseconds, where the list has milliseconds.
		const config = { include_resource: true };
		const { resource } = resourceOf(trigger.service.records, 'accounts.updated', { account: id }, config);
		// Such as a switch has it, which tells nothing of the account.
		const sent = { account: id, user, deposit_destination: randomUUID(), ...(isLoss && { resource }) };
		const { items = [] } = await trigger.deliver(eventBody(isLoss ? 'accounts.updated' : event, 'Forms', sent));
		expect(await trigger.runExecute(items)).toHaveLength(1);
		await startAfter(10 * MINUTE);
		await nextLook();
		expect(started()).toEqual([]);
	});
});

it('each event that a list can show is a case of these tests, but forms and synced users, which have tests of their own', () => {
	const cases = [...CASES, ...SETTLED, ...CHANGED].map(({ event }) => event);
	const others = ['user_forms.submitted', 'users.fully_synced'];
	expect(new Set([...cases, ...others])).toEqual(new Set(EVENT_SOURCES.map(({ event }) => event)));
});

describe('a scan of all accounts', () => {
	const HUNDRED_DAYS = 100 * DAY;

	/** So many accounts, of which each is older than the one before. */
	function addOld(count: number): Json[] {
		return Array.from({ length: count }, (_, place) => {
			const created_at = new Date(Date.now() - HUNDRED_DAYS - place * MINUTE).toISOString();
			const owner = { account: randomUUID(), user: randomUUID() };
			return trigger.service.records.add('accounts', 1, owner, { created_at })[0] ?? {};
		});
	}

	function connect(records: Array<Json | undefined>): void {
		const updated_at = new Date(Date.now()).toISOString();
		for (const record of records) Object.assign(record ?? {}, { connection: { status: 'connected', updated_at } });
	}

	const startedAccounts = () => started().map(({ data }) => Object(data).account);

	beforeEach(async () => {
		await publish(['accounts.connected', 'accounts.updated']);
		advance(MINUTE);
	});

	it('finds nothing of accounts that were only refreshed', async () => {
		const now = new Date(Date.now()).toISOString();
		for (const record of addOld(2))
			Object.assign(record, { updated_at: now, scanned_at: now, availability: { gigs: { updated_at: now } } });
		await startAfter(10 * MINUTE);
		await nextLook();
		expect(started()).toEqual([]);
	});

	it('finds each change of one moment', async () => {
		const records = addOld(3);
		connect(records);
		await startAfter(10 * MINUTE);
		await nextLook();
		expect(startedAccounts().sort()).toEqual(records.map(({ id }) => id).sort());
	});

	it('that breaks off is made again, and loses nothing of what it has not read', async () => {
		const records = addOld(250);
		connect([records[0], records[249]]);
		trigger.service.faults.add({ kind: 'status', status: 400, method: 'GET', path: '/v2/accounts', skip: 1 });
		await startAfter(10 * MINUTE);
		for (let look = 0; look < 2; look++) await nextLook();
		expect(startedAccounts().sort()).toEqual([records[0]?.id, records[249]?.id].sort());
	});
});

it('a verification that is delivered while it is open starts the workflow each time', async () => {
	await publish(['verifications.updated']);
	const owner = { account: randomUUID(), user: randomUUID() };
	const [record = {}] = trigger.service.records.add('verifications', 1, owner, { status: stateIn('PAUSED') });
	for (let count = 0; count < 2; count++) {
		const body = eventBody('verifications.updated', 'Forms', VERIFICATION.sent(record));
		const { items = [] } = await trigger.deliver(body);
		expect(await trigger.runExecute(items)).toMatchObject([{ json: { data: VERIFICATION.sent(record) } }]);
	}
});

it('a verification starts the workflow in progress and completed, though n8n runs both afterwards', async () => {
	trigger.parameters = { ...trigger.parameters, options: { includeResource: true } };
	await publish(['verifications.updated']);
	const owner = { account: randomUUID(), user: randomUUID() };
	const [record = {}] = trigger.service.records.add('verifications', 1, owner, { status: stateIn('PROCESSING') });
	const deliver = async () => {
		const data = { ...VERIFICATION.sent(record), resource: structuredClone(record) };
		return (await trigger.deliver(eventBody('verifications.updated', 'Forms', data))).items ?? [];
	};
	const inProgress = await deliver();
	advance(20_000);
	change(record, { status: stateIn('COMPLETED') });
	const completed = await deliver();
	for (const items of [inProgress, completed]) expect(await trigger.runExecute(items)).toHaveLength(1);
	await startAfter(10 * MINUTE);
	await nextLook();
	expect(started()).toEqual([]);
});

it.each([
	['accounts.added', {}],
	['accounts.connected', { connection: { status: 'connected' } }],
	['accounts.connection_lost', { connection: { status: 'error', error_code: 'invalid_credentials' } }],
])('%s brings its record with Include Resource, also when it was missed', async (event, fields) => {
	for (const options of [{}, { includeResource: true }]) {
		trigger.parameters = { ...trigger.parameters, options };
		// n8n hides the option for Connection Lost alone.
		await publish([event, 'accounts.updated']);
		advance(MINUTE);
		const now = new Date(Date.now()).toISOString();
		const connection = { ...Object(Object(fields).connection), updated_at: now };
		const owner = { account: randomUUID(), user: randomUUID() };
		const [record] = trigger.service.records.add('accounts', 1, owner, {
			created_at: now,
			scanned_at: now,
			connection,
		});
		await startAfter(10 * MINUTE);
		await nextLook();
		expect(Object(started().at(-1)?.data).resource).toEqual(options.includeResource ? record : undefined);
	}
	expect(started()).toHaveLength(2);
});

it('a bank account and a card that are switched together each start the workflow once', async () => {
	const event = 'direct_deposit_switches.completed';
	await publish([event]);
	advance(MINUTE);
	const owner = { account: randomUUID(), user: randomUUID() };
	const direct_deposit_switch = { status: 'success', updated_at: new Date(Date.now()).toISOString() };
	const [{ id } = {}] = trigger.service.records.add('accounts', 1, owner, { direct_deposit_switch });
	const ids = { ...owner, account: id };
	const sent = ['bank_account', 'card'].map((type) => ({ ...ids, deposit_destination: randomUUID(), type }));
	const ran: unknown[] = [];
	// Argyle repeats both.
	for (const data of [...sent, ...sent]) {
		const { items = [] } = await trigger.deliver(eventBody(event, 'Forms', data));
		ran.push(...(await trigger.runExecute(items)).map(({ json }) => json.data));
	}
	expect(ran).toEqual(sent);
	await startAfter(10 * MINUTE);
	await nextLook();
	expect(started()).toEqual([]);
});

it.each([
	['accounts', 'can not show at the moment', 503, 60 * MINUTE],
	['verifications', 'refuses to this key', 403, 14 * MINUTE],
])(
	'a list of %s that Argyle %s keeps no missed form from starting the workflow, and becomes a failed execution',
	async (list, _, status, afterMs) => {
		const fault = { kind: 'status', status, method: 'GET', path: `/v2/${list}`, times: Infinity } as const;
		await publish(['*']);
		advance(MINUTE);
		missForm();
		trigger.service.addFault(fault);
		await startAfter(10 * MINUTE);
		await nextLook();
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
		expect(started()).toHaveLength(1);
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
	await publish(['*']);
	await startWatch();
	await nextLook();
	const another = { id: 'another', secret: 'another' };
	trigger.service.key = another;
	Object.assign(trigger.credential, { apiKeyId: another.id, apiKeySecret: another.secret });
	trigger.service.userForms.clear();
	trigger.service.addFault({ kind: 'status', status: 403, path: '/v2/verifications', times: Infinity });
	await publish(['*'], 'update');
	await startWatch();
	await nextLook();
	missForm();
	advance(2 * MINUTE);
	await nextLook();
	await nextLook();
	expect(started()).toHaveLength(1);
});

it('an account that came with an uploaded document is no account that was added', async () => {
	await publish(['accounts.added']);
	advance(MINUTE);
	const owner = { account: randomUUID(), user: randomUUID() };
	const created_at = new Date(Date.now()).toISOString();
	trigger.service.records.add('accounts', 1, owner, { source: 'doc_upload_item', created_at });
	await startAfter(10 * MINUTE);
	await nextLook();
	expect(started()).toEqual([]);
});

it('with Catch Up off an added account is neither looked for nor remembered', async () => {
	trigger.parameters = { ...trigger.parameters, options: { catchUp: false } };
	await publish(['accounts.added']);
	const body = eventBody('accounts.added', 'Forms', { account: randomUUID(), user: randomUUID() });
	for (let count = 0; count < 2; count++) expect((await trigger.deliver(body)).body).toContain('Received');
});

describe('users.fully_synced', () => {
	const user = randomUUID();
	const at = (agoMs = 0) => new Date(Date.now() - agoMs).toISOString();
	const DATA_SETS = ['gigs', 'shifts', 'paystubs', 'identities', 'vehicles'];

	/** An account of the user, whose data came now unless `fields` say otherwise. */
	function addAccount(fields: object = {}): IDataObject {
		const state = { status: 'synced', updated_at: at() };
		const availability = { ...Object.fromEntries(DATA_SETS.map((name) => [name, state])), user_forms: null };
		const login = { created_at: at(MINUTE), connection: { status: 'connected', updated_at: at(MINUTE) }, availability };
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

	async function restart(): Promise<void> {
		await startAfter(10 * MINUTE);
		await nextLook();
	}

	beforeEach(async () => {
		await publish(['users.fully_synced']);
		advance(2 * MINUTE);
	});

	it('one that was missed while n8n was stopped starts the workflow once, and again after a further account', async () => {
		const accounts = [addAccount(), addAccount()];
		addAccount(failed);
		await restart();
		expect(started()).toEqual([itemOf(accounts)]);
		await restart();
		expect(started()).toHaveLength(1);
		accounts.push(addAccount());
		await restart();
		expect(started().slice(1)).toEqual([itemOf(accounts)]);
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
		expect(started()).toEqual([]);
		ids.unshift(addAccount().id);
		await restart();
		expect(started()).toHaveLength(1);
		expect((await deliver(ids)).body).toContain('Already received');
	});

	it.each<[string, () => unknown]>([
		['an account is still being synced', () => [addAccount(), addAccount(inProgress)]],
		['the data of an account did not come yet', () => [addAccount(), addAccount({ availability: {} })]],
		['an account is being connected again', () => addAccount({ connection: { status: 'connecting' } })],
		['no login was accepted', () => addAccount(failed)],
		['old accounts were refreshed', () => addAccount({ created_at: at(2 * DAY) })],
	])('one is not found where %s', async (_, happen) => {
		happen();
		await restart();
		expect(started()).toEqual([]);
	});

	it('one is found although a document was uploaded', async () => {
		const account = addAccount();
		addAccount({ source: 'doc_upload_item', availability: {} });
		await restart();
		expect(started()).toEqual([itemOf([account])]);
	});

	it('one from before the publish does not start the workflow, though a refresh moved its times', async () => {
		const { availability } = addAccount();
		advance(2 * MINUTE);
		await publish(['users.fully_synced']);
		advance(MINUTE);
		Object.assign(Object(availability), { gigs: { status: 'synced', updated_at: at() } });
		await restart();
		expect(started()).toEqual([]);
	});
});
