import { randomUUID } from 'node:crypto';
import { eventBody } from '../support/fakeArgyle/signedEvent.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { credentialFor } from '../support/fakeArgyle/credential.mts';
import { advance, SteppedTime, useFakeTime } from '../support/fakeTime.mts';
import { useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';

const right = useTriggerFixture();
const mistyped = useTriggerFixture();

/** Both have the same API Key ID; the secret of one is wrong from now on. */
const mistypeSecret = () => Object.assign(mistyped.credential, { apiKeySecret: 'mistyped-secret' });

beforeEach(() => (mistyped.credential = credentialFor(right.service)));

describe.each([
	{ first: 'the right secret', order: [right, mistyped] },
	{ first: 'the mistyped one', order: [mistyped, right] },
])('of two triggers with one API Key ID, of which the one with $first looks first,', ({ order }) => {
	it('only the one with the right secret gets the forms, and the other one asks Argyle by itself', async () => {
		const time = new SteppedTime();
		for (const trigger of order) {
			trigger.parameters = { receiveBy: 'polling' };
			const close = await trigger.runTrigger();
			await close();
		}
		mistypeSecret();
		advance(60_000);
		const { form } = right.service.storeForm({ createdAt: new Date(Date.now()).toISOString() });
		right.service.requests.length = 0;
		for (const trigger of order) {
			trigger.activationMode = 'init';
			await trigger.runTrigger();
			await time.next();
		}
		await right.untilExecuted();
		expect(right.startedForms()).toEqual([form.id]);
		expect(mistyped.emitted).toEqual([]);
		expect(mistyped.warnings).toContainEqual(expect.stringContaining('Authorization failed'));
		const readings = right.service.requests.filter(({ path }) => path === '/v2/user-forms');
		expect(readings.map(({ status }) => status).sort()).toEqual([200, 401]);
	});
});

describe('an execution whose credential has the right API Key ID, but a mistyped secret,', () => {
	it('is not told whose an account is by one that had the right secret', async () => {
		const { form, user } = right.service.storeForm({});
		const data = { account: form.account, user_form: form.id };
		const event = { event: 'user_forms.submitted', name: 'Forms', data };
		const [told] = await right.runExecute([{ json: event }]);
		mistypeSecret();
		const [untold] = await mistyped.runExecute([{ json: event }]);
		expect(told?.json.data).toMatchObject({ user });
		expect(untold?.json).toMatchObject({
			data: { user: null },
			userError: expect.stringMatching(/^Authorization failed/),
		});
	});
});

it('an outage that only a mistyped secret has met leaves the right one all its tries', async () => {
	const waits = useFakeTime();
	mistypeSecret();
	right.service.addFault({ kind: 'drop', times: Infinity });
	await failure(mistyped.runHook('create'));
	waits.length = 0;
	await failure(right.runHook('create'));
	expect(waits.length).toBeGreaterThan(3);
});

describe('a trigger whose lists another one with the same key has read', () => {
	it('knows the time at Argyle, and tells of no loss though the clock of n8n is ten minutes slow', async () => {
		right.service.clockOffsetMs = 600_000;
		const time = new SteppedTime();
		for (const trigger of [right, mistyped]) {
			trigger.parameters = { ...trigger.parameters, events: ['gigs.removed'] };
			await trigger.activate();
			trigger.activationMode = 'init';
		}
		async function look(...triggers: Array<typeof right>): Promise<void> {
			const watches: Array<() => Promise<void>> = [];
			for (const trigger of triggers) {
				watches.push(await trigger.runTrigger());
				await time.next();
			}
			// This takes as long as until the next look.
			for (const close of watches) await close();
		}
		async function take(): Promise<void> {
			const [own] = right.ownSubscriptions();
			if (own !== undefined) own.last_sent_at = right.service.now();
			await right.deliver(eventBody('gigs.removed', 'Forms', { account: randomUUID() }));
		}
		await look(right);
		await take();
		for (let count = 0; count < 6; count++) await look(right);
		await take();
		for (let count = 0; count < 5; count++) await look(mistyped, right);
		expect(right.failedExecutions).toEqual([]);
	});
});
