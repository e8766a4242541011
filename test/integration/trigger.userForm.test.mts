import { randomUUID } from 'node:crypto';
import { advance, useFakeTime } from '../support/fakeTime.mts';
import { eventBody } from '../support/fakeArgyle/signedEvent.mts';
import { userForm } from '../support/fakeArgyle/seed.mts';
import { formData, useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';

const trigger = useTriggerFixture();
let formId: string;
beforeEach(async () => {
	trigger.parameters = { events: ['*'] };
	await trigger.activate();
	storeForm();
	trigger.service.requests.length = 0;
});

function storeForm(): void {
	const form = userForm(formData.account, 'Harbour Taxi', 'Cash');
	trigger.service.userForms.set(form.id, form);
	formId = form.id;
}

const deliver = async (event = 'user_forms.submitted', more: object = { user_form: formId }) =>
	await trigger.deliver(eventBody(event, 'Forms', { ...formData, ...more }));

describe('Include User Form', () => {
	it('Include User Form adds the form beside the event as delivered', async () => {
		const { status, items } = await deliver();
		expect(status).toBe(200);
		expect(items?.[0]?.json).toMatchObject({
			event: 'user_forms.submitted',
			data: { ...formData, user_form: formId },
			userForm: { id: formId, data: { income_source: 'Harbour Taxi', payroll_provider: 'Cash' } },
		});
		expect(items?.[0]?.json).not.toHaveProperty('userFormError');
	});

	it('Include User Form leaves other events unchanged and sends no request for them', async () => {
		const { items } = await deliver('accounts.connected', {});
		expect(items?.[0]?.json).not.toHaveProperty('userForm');
		expect(trigger.service.requests).toHaveLength(0);
	});

	it('Include User Form requests no form for a call with a wrong signature', async () => {
		const body = eventBody('user_forms.submitted', 'Forms', { ...formData, user_form: formId });
		expect((await trigger.deliver(body, { secret: 'f'.repeat(64) })).status).toBe(401);
		expect(trigger.service.requests.filter(({ path }) => path.includes('user-forms'))).toHaveLength(0);
	});

	it.each<[string, () => string | number, RegExp]>([
		['does not exist', () => randomUUID(), /^Argyle could not find the user form/],
		['is not a text', () => 7, /^The event names no user form/],
		['is a path', () => '../webhooks', /^The event names no user form/],
	])('Include User Form starts the workflow without the form when its ID %s', async (_, id, why) => {
		const { status, items } = await deliver('user_forms.submitted', { user_form: id() });
		expect(status).toBe(200);
		expect(items?.[0]?.json).toMatchObject({ userForm: null, userFormError: expect.stringMatching(why) });
	});

	it.each([
		['cuts the connection', { kind: 'drop' as const }],
		['answers 429', { kind: 'status' as const, status: 429 }],
		['sends no record', { kind: 'status' as const, status: 200, body: ['x'] }],
	])('Include User Form starts the workflow without the form within 4 s when Argyle %s', async (_, fault) => {
		const waits = useFakeTime();
		trigger.service.addFault({ ...fault, times: Infinity });
		const { status, items } = await deliver();
		expect(status).toBe(200);
		expect(items?.[0]?.json).toMatchObject({ userForm: null, userFormError: expect.any(String) });
		expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThanOrEqual(4_000);
	});

	it('Include User Form retries after a 503', async () => {
		useFakeTime();
		trigger.service.addFault({ kind: 'status', status: 503 });
		expect((await deliver()).items?.[0]?.json).toMatchObject({ userForm: { id: formId } });
	});

	it.each(['hang', 'trickle'] as const)(
		'Include User Form starts the workflow in time when the fault of every answer is %s',
		async (kind) => {
			trigger.service.addFault({ kind, times: Infinity });
			expect((await deliver()).items?.[0]?.json).toMatchObject({ userForm: null });
		},
		9_000,
	);

	it('Include User Form has the form again 20 s after an answer got lost, though answers take 1.2 s', async () => {
		useFakeTime();
		trigger.service.addFault({ kind: 'hang' });
		trigger.service.addFault({ kind: 'slow', delayMs: 1_200, times: Infinity });
		const forms: unknown[] = [];
		for (let count = 0; count < 3; count++) {
			storeForm();
			forms.push((await deliver()).items?.[0]?.json.userForm);
			advance(10_000);
		}
		expect(forms[2]).toMatchObject({ id: formId });
	}, 20_000);

	it('Include User Form waits two seconds when Argyle asks for an hour, and brings the form', async () => {
		useFakeTime();
		const startedAt = Date.now();
		trigger.service.addFault({ kind: 'status', status: 429, headers: { 'Retry-After': '3600' } });
		storeForm();
		expect((await deliver()).items?.[0]?.json.userForm).toMatchObject({ id: formId });
		expect(Date.now() - startedAt).toBeLessThan(6_000);
	});

	it('Include User Form delivers within six seconds while Argyle goes on to ask for an hour', async () => {
		useFakeTime();
		const startedAt = Date.now();
		trigger.service.addFault({ kind: 'status', status: 429, headers: { 'Retry-After': '3600' }, times: Infinity });
		storeForm();
		expect((await deliver()).items?.[0]?.json).toMatchObject({
			userForm: null,
			userFormError: expect.stringMatching(/^Argyle received too many requests at once/),
		});
		expect(Date.now() - startedAt).toBeLessThan(6_000);
	});
});
