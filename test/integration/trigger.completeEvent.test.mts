import { randomUUID } from 'node:crypto';
import type { IDataObject, WorkflowExecuteMode } from 'n8n-workflow';
import { clock } from '../../nodes/Argyle/utils/clock';
import { eventBody } from '../support/fakeArgyle/signedEvent.mts';
import type { Fault, StoredRecord } from '../support/fakeArgyle/index.mts';
import { dropPackets, elapsed, useFakeTime } from '../support/fakeTime.mts';
import type { Json } from '../support/json.mts';
import { until } from '../support/n8n/until.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { processedValues } from '../support/n8nCore/processedValues.mts';
import { useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';

const trigger = useTriggerFixture();
let form: StoredRecord;
let data: IDataObject;

beforeEach(async () => {
	trigger.parameters = { events: ['*'] };
	await trigger.activate();
	const stored = trigger.service.storeForm();
	form = stored.form;
	data = { account: String(form.account), user: stored.user, user_form: form.id };
	trigger.service.requests.length = 0;
	useFakeTime();
});

const eventOf = (more: IDataObject = {}) => ({ event: 'user_forms.submitted', name: 'Forms', data, ...more });

/** What goes on to the next node. */
async function run(event: IDataObject, mode: WorkflowExecuteMode = 'webhook'): Promise<IDataObject | undefined> {
	const [item] = await trigger.runExecute([{ json: event }], mode);
	return item?.json;
}

/** The account of a record, as Argyle has it. */
const accountOf = ({ account }: StoredRecord): Json => trigger.service.accounts.get(String(account)) ?? {};

const requests = () => trigger.service.requests.map(({ path }) => path);

describe('webhook() of the trigger', () => {
	it('asks for no form and no account, so that it answers at once', async () => {
		trigger.service.addFault({ kind: 'hang', times: Infinity });
		const { status, items } = await trigger.deliver(eventBody('user_forms.submitted', 'Forms', data));
		expect([status, items?.[0]?.json.data]).toEqual([200, data]);
		expect(trigger.service.requests).toEqual([]);
	});
});

describe('execution of a submitted form', () => {
	it('brings what the person wrote beside the event as delivered, with one request', async () => {
		expect(await run(eventOf())).toEqual(eventOf({ userForm: form }));
		expect(requests()).toEqual([`/v2/user-forms/${String(form.id)}`]);
	});

	it('brings the user where the event does not name one, with one request for each account', async () => {
		const { user, ...rest } = data;
		const other = trigger.service.storeForm({ account: String(form.account) }).form;
		expect(await run(eventOf({ data: rest, userForm: form }))).toEqual(eventOf({ userForm: form }));
		const next = { ...rest, user_form: other.id };
		expect(await run(eventOf({ data: next, userForm: other }))).toMatchObject({ data: { user } });
		expect(requests()).toEqual([`/v2/accounts/${String(form.account)}`]);
	});

	it('brings the user though a person stops another execution that has asked for the same one', async () => {
		const { user, ...rest } = data;
		const [event, other] = [1, 2].map(() => eventOf({ data: { ...rest, user_form: randomUUID() }, userForm: null }));
		trigger.service.addFault({ kind: 'hang', path: /accounts/ });
		const execution = new AbortController();
		const stopped = failure(trigger.runExecute([{ json: { ...other } }], 'webhook', undefined, execution.signal));
		await until('it has asked', 5_000, async () => requests().length > 0 || undefined);
		const own = run({ ...event });
		execution.abort();
		expect((await own)?.data).toMatchObject({ user });
		expect((await stopped).message).toContain('aborted');
		expect(requests()).toHaveLength(2);
	});

	it('asks for the user by itself while a test, which waits for seconds only, asks too', async () => {
		const { user, ...rest } = data;
		const event = eventOf({ data: rest, userForm: null });
		const outputs = await Promise.all([run(event, 'manual'), run(event)]);
		for (const output of outputs) expect(output?.data).toMatchObject({ user });
		expect(requests()).toHaveLength(2);
	});

	it('leaves the form out with Include User Form off, and asks for nothing', async () => {
		trigger.parameters = { events: ['*'], includeUserForm: false };
		expect(await run(eventOf())).toEqual(eventOf());
		expect(requests()).toEqual([]);
	});

	it.each<WorkflowExecuteMode>(['manual', 'retry'])('brings what lacks in a %s execution as well', async (mode) => {
		expect(await run(eventOf(), mode)).toEqual(eventOf({ userForm: form }));
	});

	it('waits for a form that Argyle has not got yet when its event comes', async () => {
		trigger.service.addFault({ kind: 'status', status: 404, times: 2 });
		expect(await run(eventOf())).toMatchObject({ userForm: form });
		expect(elapsed()).toBeLessThan(6_000);
	});

	it.each<[string, () => unknown, RegExp]>([
		['does not exist', () => randomUUID(), /^Argyle could not find the user form/],
		['is no text', () => 7, /^The event names no user form/],
		['is a path', () => '../webhooks', /^The event names no user form/],
	])('says why it brings no form whose ID %s', async (_, id, why) => {
		const event = eventOf({ data: { ...data, user_form: id() as string } });
		expect(await run(event)).toEqual({ ...event, userForm: null, userFormError: expect.stringMatching(why) });
		expect(elapsed()).toBeLessThan(10_000);
	});

	it.each<[string, () => unknown, RegExp]>([
		['that is gone', () => trigger.service.accounts.clear(), /^Argyle could not find the account/],
		['whose user is null', () => (accountOf(form).user = null), /^Argyle does not say which user the account/],
		['whose user is a number', () => (accountOf(form).user = 7), /^Argyle does not say which user the account/],
	])('says why it brings no user of an account %s', async (_, happen, why) => {
		happen();
		const { user: _user, ...rest } = data;
		expect(await run(eventOf({ data: rest, userForm: form }))).toEqual({
			...eventOf({ userForm: form }),
			data: { ...rest, user: null },
			userError: expect.stringMatching(why),
		});
	});

	it('brings the user again once the account can be read', async () => {
		const { user, ...rest } = data;
		trigger.service.addFault({ kind: 'status', status: 403 });
		expect(await run(eventOf({ data: rest, userForm: null }))).toMatchObject({ data: { user: null } });
		const next = { ...rest, user_form: randomUUID() };
		expect(await run(eventOf({ data: next, userForm: null }))).toMatchObject({ data: { user } });
	});

	const answer = (fault: Fault) => () => trigger.service.addFault({ ...fault, times: Infinity });

	function loseCredential(): void {
		const toJSON = () => {
			throw new Error('no such credential');
		};
		trigger.credential = { ...trigger.credential, toJSON };
	}

	it.each<[string, () => void]>([
		['Argyle cuts the connection', answer({ kind: 'drop' })],
		['Argyle answers 429', answer({ kind: 'status', status: 429 })],
		['Argyle goes on to ask for an hour', answer({ kind: 'status', status: 429, headers: { 'Retry-After': '3600' } })],
		['Argyle answers 503', answer({ kind: 'status', status: 503 })],
		['Argyle refuses the key', answer({ kind: 'status', status: 401 })],
		['Argyle sends no record', answer({ kind: 'status', status: 200, body: ['x'] })],
		['no answer comes at all', dropPackets],
		['the credential cannot be read', loseCredential],
	])('goes on without the form within a minute when %s, and says why', async (_, happen) => {
		happen();
		expect(await run(eventOf())).toEqual(eventOf({ userForm: null, userFormError: expect.any(String) }));
		expect(elapsed()).toBeLessThan(75_000);
	});

	it.each([30, 38])('brings the form when Argyle is away for %i s', async (seconds) => {
		const back = Date.now() + seconds * 1_000;
		trigger.service.addFault({ kind: 'drop', times: Infinity });
		const take = jest.spyOn(trigger.service.faults, 'take');
		take.mockImplementation(() => (Date.now() < back ? { kind: 'drop' } : undefined));
		expect(await run(eventOf())).toMatchObject({ userForm: form });
	});

	it.each<[string, Fault]>([
		["for Argyle's answer", { kind: 'hang' }],
		['for a form that is to appear', { kind: 'status', status: 404 }],
	])('a cancelled execution ends at once while it waits %s', async (_, fault) => {
		// Only the cancellation ends a wait.
		jest.restoreAllMocks();
		jest.spyOn(clock, 'pause').mockImplementation(async (_, signal) => {
			if (signal?.aborted === false) await new Promise((resolve) => signal.addEventListener('abort', resolve));
		});
		trigger.service.addFault({ ...fault, times: Infinity });
		const execution = new AbortController();
		const running = trigger.runExecute([{ json: eventOf() }], 'webhook', undefined, execution.signal);
		await until('a request was sent', 5_000, async () => requests().length > 0 || undefined);
		execution.abort();
		await expect(running).rejects.toThrow();
		expect(requests()).toHaveLength(1);
		expect(processedValues.rows.size).toBe(0);
		trigger.service.clearFaults();
		expect(await run(eventOf())).toMatchObject({ userForm: form });
	});

	it('in a test a person is told within 15 s that the form cannot be had', async () => {
		trigger.service.addFault({ kind: 'drop', times: Infinity });
		expect(await run(eventOf(), 'manual')).toMatchObject({ userForm: null, userFormError: expect.any(String) });
		expect(elapsed()).toBeLessThan(25_000);
	});
});

describe('Include User', () => {
	beforeEach(() => {
		trigger.parameters = { events: ['*'], includeUserForm: false, options: { includeUser: true } };
	});

	const FIELDS = ['id', 'external_id', 'first_name', 'last_name', 'email', 'phone_number'];
	const personOf = (id: unknown) => {
		const user = trigger.service.users.get(String(id));
		return Object.fromEntries(FIELDS.map((field) => [field, user?.[field] ?? null]));
	};
	const connected = (fields: IDataObject): IDataObject => ({ event: 'accounts.connected', name: 'n', data: fields });
	const userPath = () => `/v2/users/${String(data.user)}`;
	const accountPath = () => `/v2/accounts/${String(data.account)}`;

	it.each<[string, () => [IDataObject, IDataObject?], () => string[]]>([
		['a form that names its user', () => [eventOf()], () => [userPath()]],
		[
			'a form that names its account only',
			() => [eventOf({ data: { account: data.account, user_form: data.user_form } }), eventOf()],
			() => [accountPath(), userPath()],
		],
		['an event that names its user', () => [connected({ user: data.user })], () => [userPath()]],
		[
			'an event that names its account only',
			() => [connected({ account: data.account })],
			() => [accountPath(), userPath()],
		],
	])('brings who it is with %s, asked for once', async (_, events, paths) => {
		const [event, expected = event] = events();
		const user = personOf(data.user);
		const others = Array.from({ length: 5 }, () => ({
			...event,
			data: { ...Object(event.data), user_form: randomUUID() },
		}));
		const outputs = await Promise.all(others.map(async (other) => await run(other)));
		for (const output of outputs) expect(output?.user).toEqual(user);
		expect(requests()).toEqual(paths());
		expect(await run(event)).toEqual({ ...expected, user });
		expect(requests()).toEqual(paths());
	});

	it('brings nothing sensitive', async () => {
		const [user] = [...trigger.service.users.values()].filter(({ ssn }) => ssn !== undefined);
		const output = await run(connected({ user: user?.id }));
		expect(output?.user).toMatchObject({ id: user?.id, email: user?.email });
		expect(JSON.stringify(output)).not.toContain(String(user?.ssn));
	});

	it('brings a name that was corrected five minutes ago', async () => {
		await run(connected({ user: data.user }));
		Object.assign(trigger.service.users.get(String(data.user)) ?? {}, { first_name: 'Robert' });
		jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 300_001);
		expect((await run(connected({ user: data.user })))?.user).toMatchObject({ first_name: 'Robert' });
	});

	it('says why it brings nobody: the user was erased, or nobody can be asked', async () => {
		trigger.service.users.clear();
		const gone = { user: null, userError: expect.stringMatching(/^Argyle could not find the user/) };
		expect(await run(eventOf())).toEqual(eventOf(gone));
		trigger.service.addFault({ kind: 'drop', times: Infinity });
		const away = { user: null, userError: expect.any(String) };
		const form = eventOf({ data: { account: randomUUID(), user_form: randomUUID() } });
		expect(await run(form)).toEqual({ ...form, ...away, data: { ...Object(form.data), user: null } });
		expect(elapsed()).toBeLessThan(75_000);
	});

	it.each([
		['an event that has no user', () => ({ event: 'items.updated', name: 'n', data: { item: 'item_1' } })],
		['an event that brings it already', () => ({ ...connected({ user: data.user }), user: { id: 'known' } })],
	])('leaves %s as it is', async (_, event) => {
		expect(await run(event())).toEqual(event());
		expect(requests()).toEqual([]);
	});
});
