import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { eventBody } from '../support/fakeArgyle/signedEvent.mts';
import { useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';
import type { CallOptions } from '../support/n8nCore/webhookReceiver.mts';

const trigger = useTriggerFixture();

async function activateWith(options: IDataObject) {
	trigger.parameters = { events: ['user_forms.submitted', 'accounts.updated', 'gigs.updated'], options };
	await trigger.activate();
}

const form = () =>
	eventBody('user_forms.submitted', 'Forms', { account: randomUUID(), user: randomUUID(), user_form: randomUUID() });

const deliver = async (body: string, options: CallOptions = {}) => {
	const { status, body: answer, items } = await trigger.deliver(body, options);
	return [status, JSON.parse(answer).message, items?.length ?? 0];
};

/** An event of which nothing is remembered without Skip Duplicates. */
const update = (account: string = randomUUID(), name = 'Forms') =>
	eventBody('accounts.updated', name, { account, user: 'u' });

const ACCEPTED = [200, 'Received', 1];
const SKIPPED = [200, 'Already received', 0];

const diskFull = async () => await Promise.reject(new Error('no space left'));

it.each([
	['Catch Up', { options: { catchUp: '={{ "perhaps" }}' } }],
	['Include User', { options: { includeUser: '={{ "perhaps" }}' } }],
	['Only From Argyle', { options: { onlyFromArgyle: '={{ "perhaps" }}' } }],
	[
		'Only Refreshed Accounts',
		{ events: ['accounts.connection_lost'], options: { onlyRefreshedAccounts: '={{ "perhaps" }}' } },
	],
	['Skip Duplicates', { options: { skipDuplicates: '={{ "perhaps" }}' } }],
	['Include User Form', { includeUserForm: '={{ "perhaps" }}' }],
])('publishing refuses an expression for %s that gives neither true nor false', async (name, parameters) => {
	trigger.parameters = { events: ['user_forms.submitted'], options: {}, ...parameters };
	await expect(trigger.activate()).rejects.toThrow(`${name} is neither on nor off`);
	expect(trigger.allSubscriptions()).toEqual([]);
});

describe('Skip Duplicates', () => {
	beforeEach(async () => await activateWith({ skipDuplicates: true }));

	it('Skip Duplicates is on with an expression that gives the text true', async () => {
		trigger.parameters = { ...trigger.parameters, options: { skipDuplicates: '={{ "true" }}' } };
		expect(await deliver(update('a'))).toEqual(ACCEPTED);
		expect(await deliver(update('a'))).toEqual(SKIPPED);
	});

	it('Skip Duplicates tells events apart by their names and data, and not by the name of the subscription', async () => {
		expect(await deliver(update('a'))).toEqual(ACCEPTED);
		expect(await deliver(update('a', 'Renamed'))).toEqual(SKIPPED);
		expect(await deliver(update('b'))).toEqual(ACCEPTED);
		expect(await deliver(eventBody('gigs.updated', 'Forms', { account: 'a', user: 'u' }))).toEqual(ACCEPTED);
	});

	it('Skip Duplicates accepts one of many concurrent duplicates', async () => {
		const body = update();
		const answers = await Promise.all(Array.from({ length: 20 }, async () => await deliver(body)));
		expect(answers.filter(([, message]) => message === 'Received')).toHaveLength(1);
		expect(answers.filter(([, message]) => message === 'Already received')).toHaveLength(19);
	});

	it('Skip Duplicates accepts a delivery again when n8n could not store the first', async () => {
		const body = update();
		expect((await deliver(body, { store: diskFull }))[0]).toBe(500);
		expect(await deliver(body)).toEqual(ACCEPTED);
		expect(await deliver(body)).toEqual(SKIPPED);
	});

	it('Skip Duplicates knows a delivery whose execution waits in n8n, though Argyle has not waited for the answer', async () => {
		const body = update();
		const leave = new AbortController();
		const store = async () => {
			leave.abort();
			await new Promise(() => {});
		};
		await expect(deliver(body, { store, signal: leave.signal })).rejects.toThrow('aborted');
		expect(await deliver(update())).toEqual(ACCEPTED);
		expect(await deliver(body)).toEqual(SKIPPED);
	});

	it('Skip Duplicates does not affect other triggers or tests, or this one when it is off', async () => {
		const body = update();
		expect(await deliver(body)).toEqual(ACCEPTED);
		trigger.workflowId = randomUUID();
		expect(await deliver(body)).toEqual(ACCEPTED);
		trigger.isTest = true;
		await trigger.activate();
		expect(await deliver(body)).toEqual(ACCEPTED);
		expect(await deliver(body)).toEqual(SKIPPED);
		trigger.parameters = { ...trigger.parameters, options: {} };
		expect(await deliver(body)).toEqual(ACCEPTED);
	});
});

describe('Only From Argyle', () => {
	beforeEach(async () => await activateWith({ onlyFromArgyle: true }));

	it("Only From Argyle accepts Argyle's addresses in the proxy's X-Forwarded-For", async () => {
		expect(await deliver(form(), { headers: { 'X-Forwarded-For': '34.27.251.226' } })).toEqual(ACCEPTED);
		expect(await deliver(form(), { headers: { 'X-Forwarded-For': '1.2.3.4, 35.226.53.251' } })).toEqual(ACCEPTED);
	});

	it.each<[string, Record<string, string>]>([
		['from another address', {}],
		['whose forged X-Forwarded-For starts with an Argyle address', { 'X-Forwarded-For': '34.27.251.226, 1.2.3.4' }],
	])('Only From Argyle refuses a correctly signed call %s', async (_, headers) => {
		expect(await deliver(form(), { headers })).toEqual([403, 'Only Argyle may call this address', 0]);
		// The call is genuine: then the proxy is not set right.
		expect(trigger.warnings).toEqual([expect.stringContaining('N8N_PROXY_HOPS')]);
	});

	it('Only From Argyle refuses a forged call as every trigger does, wherever it comes from', async () => {
		for (const address of ['1.2.3.4', '34.27.251.226']) {
			for (const signature of ['f'.repeat(128), 'short']) {
				const headers = { 'X-Forwarded-For': address, 'X-Argyle-Signature': signature };
				expect(await deliver(form(), { headers })).toEqual([401, 'Unauthorized', 0]);
			}
		}
		expect(trigger.warnings).toEqual([]);
	});

	it.each(['={{ "true" }}', '={{ 1 }}', '={{ "perhaps" }}', '={{ $json.missing }}'])(
		'Only From Argyle is on with the expression %p',
		async (onlyFromArgyle) => {
			trigger.parameters = { ...trigger.parameters, options: { onlyFromArgyle } };
			expect((await deliver(form()))[0]).toBe(403);
		},
	);

	it.each(['={{ "false" }}', '={{ 0 }}'])('Only From Argyle is off with the expression %p', async (onlyFromArgyle) => {
		trigger.parameters = { ...trigger.parameters, options: { onlyFromArgyle } };
		expect(await deliver(form())).toEqual(ACCEPTED);
	});
});
