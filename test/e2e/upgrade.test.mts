import { credentialFor } from '../support/fakeArgyle/credential.mts';
import { type FakeArgyle, startFakeArgyle } from '../support/fakeArgyle/index.mts';
import { eventBody, sign } from '../support/fakeArgyle/signedEvent.mts';
import { placesOf } from '../support/n8n/database.mts';
import { runByHand } from '../support/n8n/example.mts';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { argyleNode, argyleTrigger, n8nNode } from '../support/n8n/nodes.mts';
import { type KeptArgyle, KeptRelease } from '../support/n8n/release.mts';
import { webhookUrlVariable } from '../support/n8n/selectedVersion.mts';
import { until } from '../support/n8n/until.mts';

/** A port of its own, because the kept credential names it. */
const ARGYLE_PORT = 9_417;

/** The kept subscription sends there; the tests post what is sent to wherever n8n listens. */
const PUBLIC = 'https://n8n.example.com';

const release = new KeptRelease('0.1.0');

const DEADLINE_MS = 240_000;

let fixture: N8nFixture;
let argyle: FakeArgyle;
let kept: KeptArgyle;
let missed: string;

async function start(install?: (userFolder: string) => void): Promise<void> {
	fixture = await startN8nFixture({ env: { [webhookUrlVariable]: PUBLIC }, install });
}

async function startArgyle(): Promise<void> {
	argyle = await startFakeArgyle({ port: ARGYLE_PORT, requestsPerSecond: 1_000 });
}

const stop = async () => {
	await fixture.stop();
	await argyle.stop();
};

/** Submits a form, and delivers its event to n8n as to the public address. */
async function submit(user: string): Promise<string> {
	const { form } = argyle.storeForm({ user });
	for (const { url, name, secret } of argyle.subscriptions.values()) {
		const body = eventBody('user_forms.submitted', name, { account: form.account, user, user_form: form.id });
		const headers = { 'Content-Type': 'application/json', 'X-Argyle-Signature': sign(body, secret ?? '') };
		const { pathname } = new URL(url);
		expect((await fetch(`${fixture.n8n.origin}${pathname}`, { method: 'POST', headers, body })).status).toBe(200);
	}
	return form.id;
}

async function workflowNamed(name: string) {
	const found = (await fixture.client.workflows({})).find((workflow) => workflow.name === name);
	if (found === undefined) throw new Error(`there is no workflow ${name}`);
	return await fixture.client.workflow(found.id);
}

async function startedForms(count: number): Promise<string[]> {
	const { id } = await workflowNamed('Forms');
	return await until(`${count} forms have started the workflow`, 120_000, async () => {
		const listed = await fixture.client.executions(id);
		const executions = await Promise.all(listed.map(async (each) => await fixture.client.execution(each.id)));
		const items = executions.flatMap(({ output }) => output['Argyle Trigger'] ?? []);
		return items.length < count ? undefined : items.map(({ json }) => JSON.stringify(json.data));
	});
}

/** Before a release, as docs/upgrades.md says. */
async function renew(): Promise<void> {
	await startArgyle();
	await start();
	const credential = await fixture.client.createCredential('Argyle', 'argyleApi', credentialFor(argyle));
	const trigger = argyleTrigger(credential, {
		includeUserForm: true,
		options: { subscriptionName: 'Forms of 0.1.0', skipDuplicates: true },
	});
	const forms = await fixture.client.createWorkflow('Forms', [trigger, n8nNode('Done', 'noOp')]);
	const getAll = { operation: 'getAll', returnAll: false, limit: 5, filters: {} };
	const byHand = [
		n8nNode('By Hand', 'manualTrigger'),
		argyleNode(credential, { resource: 'user', ...getAll }, { name: 'Users' }),
		argyleNode(
			credential,
			{ resource: 'userForm', ...getAll, filters: { user: '={{ $json.id }}' } },
			{ name: 'Forms' },
		),
	];
	await fixture.client.createWorkflow('By hand', byHand);
	await fixture.client.publish(forms);
	await until('the subscription is there', 120_000, async () => argyle.subscriptions.size === 1 || undefined);
	const user = [...argyle.users.keys()][0] ?? '';
	await submit(user);
	await fixture.client.waitForExecutions(forms.id, 1);
	const { n8n } = fixture;
	await n8n.stop();
	release.keep(n8n, argyle, user);
	await stop();
}

beforeAll(async () => {
	if (process.env.RELEASE === 'renew') await renew();
	await startArgyle();
	kept = release.restoreArgyle(argyle);
	// Submitted while nothing ran that could have taken it.
	missed = argyle.storeForm({ user: kept.user }).form.id;
	await start((userFolder) => release.restoreDatabase(userFolder));
}, 300_000);
afterAll(stop);

it(
	'a workflow that was published with 0.1.0 goes on: its subscription stays, no form runs again, none is lost',
	async () => {
		const { subscriptions, forms, user } = kept;
		const old = String(forms[0]?.id);
		await startedForms(2);
		const delivered = await submit(user);
		const started = await startedForms(3);
		expect([old, missed, delivered].map((id) => started.filter((data) => data.includes(id)).length)).toEqual([1, 1, 1]);
		expect(started).toHaveLength(3);
		expect([...argyle.subscriptions.values()].map(({ id, url }) => ({ id, url }))).toEqual(
			subscriptions.map(({ id, url }) => ({ id, url })),
		);
		expect(argyle.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
	},
	DEADLINE_MS,
);

it(
	'a workflow that was saved with 0.1.0 runs by hand, with what it put out then',
	async () => {
		const { output, error } = await runByHand(fixture.client, await workflowNamed('By hand'), 'By Hand');
		expect(error).toBeUndefined();
		expect(output.Users).toHaveLength(argyle.users.size);
		expect(output.Forms?.map(({ json }) => Object.keys(json))[0]).toEqual(
			expect.arrayContaining(['id', 'account', 'data', 'created_at', 'updated_at']),
		);
		expect(placesOf(fixture.n8n, argyle.key.secret)).toEqual([]);
	},
	DEADLINE_MS,
);

it(
	'a workflow that was published with 0.1.0 can be unpublished, which removes its subscription',
	async () => {
		const { id } = await workflowNamed('Forms');
		await fixture.client.unpublish(id);
		expect(argyle.subscriptions.size).toBe(0);
	},
	DEADLINE_MS,
);
