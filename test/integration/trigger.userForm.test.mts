import { randomUUID } from 'node:crypto';
import { eventBody } from '../support/fakeArgyle/event.mts';
import { userForm } from '../support/fakeArgyle/seed.mts';
import { data, DeliveryFixture } from '../support/n8nCore/deliveryFixture.mts';
import { useFakeTime } from '../support/fakeTime.mts';
import { activate } from '../support/n8nCore/trigger.mts';

let stage: DeliveryFixture;
let formId: string;
beforeEach(async () => {
	stage = await DeliveryFixture.set();
	stage.trigger.parameters = { events: ['*'], options: { includeUserForm: true } };
	await activate(stage.trigger);
	const form = userForm(data.account, 'Harbour Taxi', 'Cash');
	stage.service.userForms.set(form.id, form);
	formId = form.id;
	stage.service.requests.length = 0;
});
afterEach(async () => {
	jest.restoreAllMocks();
	await stage.clear();
});

async function deliver(event = 'user_forms.submitted', more: object = { user_form: formId }) {
	const bytes = eventBody(event, 'Forms', { ...data, ...more });
	return await stage.receiver.call(bytes, stage.signed(bytes));
}

describe('Include User Form', () => {
	it('adds what the person wrote, beside the event as delivered', async () => {
		const { status, items } = await deliver();
		expect(status).toBe(200);
		expect(items?.[0]?.json).toMatchObject({
			event: 'user_forms.submitted',
			data: { ...data, user_form: formId },
			userForm: { id: formId, data: { income_source: 'Harbour Taxi', payroll_provider: 'Cash' } },
		});
		expect(items?.[0]?.json).not.toHaveProperty('userFormError');
	});

	it('leaves other events as they are, and asks nothing for them', async () => {
		const { items } = await deliver('accounts.connected', {});
		expect(items?.[0]?.json).not.toHaveProperty('userForm');
		expect(stage.service.requests).toHaveLength(0);
	});

	it('asks for no form for a call that is not genuine', async () => {
		const bytes = eventBody('user_forms.submitted', 'Forms', { ...data, user_form: formId });
		expect((await stage.receiver.call(bytes, stage.signed(`${bytes} `))).status).toBe(401);
		expect(stage.service.requests.filter(({ path }) => path.includes('user-forms'))).toHaveLength(0);
	});

	it.each<[string, () => string | number, RegExp]>([
		['is not there', () => randomUUID(), /^Argyle could not find the user form/],
		['is not named', () => 7, /^The event names no user form/],
		['is no id', () => '../webhooks', /^The event names no user form/],
	])('delivers the event also when the form %s', async (_, id, why) => {
		const { status, items } = await deliver('user_forms.submitted', { user_form: id() });
		expect(status).toBe(200);
		expect(items?.[0]?.json).toMatchObject({ userForm: null, userFormError: expect.stringMatching(why) });
	});

	it.each([
		['is away', { kind: 'drop' as const }],
		['is busy', { kind: 'status' as const, status: 429 }],
		['sends nonsense', { kind: 'status' as const, status: 200, body: ['x'] }],
	])('delivers the event also when the service %s, without waiting for long', async (_, fault) => {
		const waits = useFakeTime();
		stage.service.addFault({ ...fault, times: Infinity });
		const { status, items } = await deliver();
		expect(status).toBe(200);
		expect(items?.[0]?.json).toMatchObject({ userForm: null, userFormError: expect.any(String) });
		expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThanOrEqual(4_000);
	});

	it('asks again when the service is busy for a moment', async () => {
		useFakeTime();
		stage.service.addFault({ kind: 'status', status: 503 });
		expect((await deliver()).items?.[0]?.json).toMatchObject({ userForm: { id: formId } });
	});

	it('delivers the event in time when the service does not answer', async () => {
		stage.service.addFault({ kind: 'hang', times: Infinity });
		expect((await deliver()).items?.[0]?.json).toMatchObject({ userForm: null });
	}, 9_000);
});
