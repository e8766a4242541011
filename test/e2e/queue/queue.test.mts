import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { deliverBytes } from '../../support/fakeArgyle/deliveries.mts';
import { eventBody, sign } from '../../support/fakeArgyle/signedEvent.mts';
import { isJson } from '../../support/json.mts';
import type { FullExecution, OutputItem } from '../../support/n8n/execution.mts';
import type { StoredWorkflow } from '../../support/n8n/workflow.mts';
import {
	argyleTrigger,
	generateReceipt,
	inviteThree,
	n8nNode,
	type SavedNode,
	THREE_ADDRESSES,
} from '../../support/n8n/nodes.mts';
import { SANDBOX_WHEN_NEEDED } from '../../support/n8n/process.mts';
import { type QueueFixture, startQueueFixture } from '../../support/n8n/queueFixture.mts';
import { dump, query } from '../../support/n8n/queueServers.mts';
import { until } from '../../support/n8n/until.mts';

const RECEIPTS = 20;
const GENUINE = 500;
const FORGED = 50;
const CONCURRENT_DELIVERIES = 30;
/** How many executions a worker runs at a time. Those of a dead worker are not run again: n8n marks them as failed. */
const WORKER_CONCURRENCY = 10;
/** More patient than Argyle, because a machine may be busy with something else. */
const DELIVERY_TIMING = { timeoutMs: 60_000, retryAfterMs: 5_000 };
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

interface Delivery {
	formId: string;
	secret: string;
}

let fixture: QueueFixture;
beforeAll(async () => {
	fixture = await startQueueFixture({ ...SANDBOX_WHEN_NEEDED, OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true' });
});
afterAll(async () => await fixture.stop());

async function publish(
	name: string,
	lastNode: SavedNode,
	parameters: Record<string, unknown> = {},
): Promise<{ workflow: StoredWorkflow; url: string }> {
	const trigger = argyleTrigger(fixture.credential, parameters);
	const workflow = await fixture.client.publishNew(name, [trigger, lastNode]);
	return { workflow, url: `${fixture.webhook.origin}/webhook/${trigger.webhookId}/webhook` };
}

const subscriptionsTo = (url: string) =>
	[...fixture.argyle.subscriptions.values()].filter((subscription) => subscription.url === url);

const randomIds = (count: number) => Array.from({ length: count }, () => randomUUID());

/**
 * Waits until all executions have ended, of which there are at least so many, and returns those that went on behind the
 * trigger: beside them, each look of the main process may have one of its own, which ends at the trigger.
 */
async function runsOf({ id }: StoredWorkflow, count: number): Promise<FullExecution[]> {
	const executions = await fixture.client.waitForExecutions(id, count);
	const all = await Promise.all(executions.map(async (execution) => await fixture.client.execution(execution.id)));
	return all.filter(({ output }) => output['Argyle Trigger']?.length !== 0);
}

/** Returns the receipt that an execution generated, by user. */
async function receiptOf({ status, output }: FullExecution): Promise<[user: string, receipt: Buffer]> {
	expect(status).toBe('success');
	const [item] = output['Generate Receipt'] ?? [];
	const file = item?.binary?.data;
	expect(file?.id).toMatch(/^database:/);
	return [String(item?.json.user), file === undefined ? Buffer.alloc(0) : await fixture.client.binary(file)];
}

async function triggerOutput(executionId = ''): Promise<Record<string, unknown>> {
	const { output } = await fixture.client.execution(executionId);
	return output['Argyle Trigger']?.[0]?.json ?? {};
}

const writtenIn = (userForm: unknown) =>
	isJson(userForm) && isJson(userForm.data) ? String(userForm.data.income_source) : '';

/** Returns the status of the last answer. */
async function deliver(url: string, { formId, secret }: Delivery): Promise<number | null | undefined> {
	const body = eventBody('user_forms.submitted', 'Load', { account: 'a', user: 'u', user_form: formId });
	const headers = { 'X-Argyle-Signature': sign(body, secret) };
	const attempts = await deliverBytes(url, body, headers, DELIVERY_TIMING, new AbortController().signal);
	return attempts.at(-1)?.status;
}

/** Delivers all, and runs `onHalfway` when half of them are answered. Returns the statuses of the answers by form. */
async function deliverAll(url: string, deliveries: Delivery[], onHalfway: () => Promise<void>) {
	const statuses = new Map<string, number | null | undefined>();
	const waiting = [...deliveries];
	let halfway: Promise<void> | undefined;
	async function deliverWaiting(): Promise<void> {
		for (let delivery = waiting.pop(); delivery !== undefined; delivery = waiting.pop()) {
			statuses.set(delivery.formId, await deliver(url, delivery));
			if (statuses.size > deliveries.length / 2) halfway ??= onHalfway();
		}
	}
	await Promise.all(Array.from({ length: CONCURRENT_DELIVERIES }, deliverWaiting));
	await halfway;
	return statuses;
}

function executionCounts({ id }: StoredWorkflow): Map<string, number> {
	const sql = `SELECT status, count(*) FROM execution_entity WHERE "workflowId" = '${id}' GROUP BY status`;
	const rows = query(fixture.postgres, sql).map((line) => line.split('\t'));
	return new Map(rows.map(([status = '', count]) => [status, Number(count)]));
}

async function untilAllEnded(workflow: StoredWorkflow): Promise<Map<string, number>> {
	return await until('every execution has ended', 240_000, async () => {
		const counts = executionCounts(workflow);
		return ['new', 'running', 'waiting'].some((status) => counts.has(status)) ? undefined : counts;
	});
}

const totalOf = (counts: Map<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0);

/** How often each form has come to the step behind the trigger. */
function executionsByForm({ id }: StoredWorkflow, formIds: string[]): Map<string, number> {
	const executions = new Map(formIds.map((formId) => [formId, 0]));
	const sql = `SELECT d.data FROM execution_data d JOIN execution_entity e ON e.id = d."executionId"
		WHERE e."workflowId" = '${id}' AND d.data LIKE '%"Done"%'`;
	for (const data of query(fixture.postgres, sql))
		for (const uuid of new Set(data.match(UUID))) {
			const count = executions.get(uuid);
			if (count !== undefined) executions.set(uuid, count + 1);
		}
	return executions;
}

let catchUp: { workflow: StoredWorkflow; formsBefore: string[]; looksBefore: number };

/** How often the main process has read Argyle's list of forms. */
const looks = () => fixture.argyle.requests.filter(({ path }) => path === '/v2/user-forms').length;

it('answers 20 forms in the webhook process, each of which starts its workflow once', async () => {
	const [formsBefore, looksBefore] = [[...fixture.argyle.userForms.keys()], looks()];
	const { workflow } = await publish('Catch up', n8nNode('Done', 'noOp'));
	const written = Array.from({ length: 20 }, (_, count) => `Bakery ${count}`);
	for (const incomeSource of written) {
		const { attempts } = await fixture.argyle.submitForm({ incomeSource });
		expect(attempts.at(-1)).toMatchObject({ status: 200 });
	}
	const items = (await runsOf(workflow, 20)).map(({ output }) => output['Argyle Trigger']?.[0]?.json);
	expect(items.map((item) => writtenIn(item?.userForm)).sort()).toEqual(written.sort());
	catchUp = { workflow, formsBefore, looksBefore };
});

it('runs a test with an event in a worker', async () => {
	const trigger = argyleTrigger(fixture.credential);
	const { id } = await fixture.client.createWorkflow('Test', [trigger, n8nNode('Done', 'noOp')]);
	await fixture.client.run(id, trigger.name);
	const { form } = fixture.argyle.storeForm();
	const [registered] = [...fixture.argyle.subscriptions.values()].filter(({ url }) => url.includes('/webhook-test/'));
	// A load balancer sends these to the main process.
	const testUrl = new URL(new URL(String(registered?.url)).pathname, fixture.client.origin).href;
	expect(await deliver(testUrl, { formId: form.id, secret: String(registered?.secret) })).toBe(200);
	const [test] = await fixture.client.waitForExecutions(id, 1);
	expect(await triggerOutput(test?.id)).toMatchObject({ data: { user_form: form.id }, userForm: { id: form.id } });
});

it('runs Execute step of Checking for Events, and of the node behind it, in a worker', async () => {
	const trigger = argyleTrigger(fixture.credential, { receiveBy: 'polling' });
	const receipt = generateReceipt(fixture.credential, '={{ $json.data.user }}');
	const { id } = await fixture.client.createWorkflow('Steps', [trigger, receipt]);
	const { form, user } = fixture.argyle.storeForm();
	const step = async (node: SavedNode, before?: Record<string, OutputItem[]>) => {
		const executionId = await fixture.client.executeStep(id, node.name, before);
		await until('the step has ended', 120_000, async () => {
			const { status } = await fixture.client.execution(executionId);
			return status === 'success' ? true : undefined;
		});
		return executionId;
	};
	const first = await step(trigger);
	const { output } = await fixture.client.execution(first);
	expect(output).toMatchObject({
		'Argyle Trigger': [{ json: { data: { user_form: form.id, user }, userForm: form } }],
	});
	const second = await step(receipt, output);
	expect(await receiptOf(await fixture.client.execution(second))).toEqual([
		user,
		await fixture.argyle.receiptPdf(user),
	]);
	const workers = fixture.workers.map(({ logFile }) => readFileSync(logFile, 'utf8')).join('\n');
	for (const executionId of [first, second]) expect(workers).toMatch(new RegExp(`execution ${executionId}\\b`));
});

it('accepts every delivery while a mistyped key is in the credential, and after it is mended and published', async () => {
	const { workflow, url } = await publish('Key', n8nNode('Done', 'noOp'));
	const setKey = async (apiKeySecret: string) =>
		await fixture.client.updateCredential(fixture.credential, 'argyleApi', { ...fixture.credentialData, apiKeySecret });
	const answers: unknown[] = [];
	const forms: string[] = [];
	const deliverOne = async () => {
		const { form, attempts } = await fixture.argyle.submitForm();
		forms.push(form.id);
		answers.push(attempts.findLast((attempt) => attempt.url === url)?.status);
	};
	await deliverOne();
	await setKey('mistyped');
	await deliverOne();
	await setKey(fixture.argyle.key.secret);
	await fixture.client.publish(workflow);
	await deliverOne();
	expect(answers).toEqual([200, 200, 200]);
	await untilAllEnded(workflow);
	expect([...executionsByForm(workflow, forms).values()]).toEqual([1, 1, 1]);
	await fixture.client.unpublish(workflow.id);
});

it('with Retry On Fail writes to each of three people once in each execution, in two workers', async () => {
	const { argyle, client, credential } = fixture;
	const trigger = argyleTrigger(credential);
	const workflow = await client.publishNew('Invite', [trigger, ...inviteThree(credential)]);
	const count = 4;
	const failed = new Set<unknown>();
	const isFirstTry = ({ email, last_name: execution }: Record<string, unknown>) => {
		if (email !== THREE_ADDRESSES[1] || failed.has(execution)) return false;
		failed.add(execution);
		return true;
	};
	const fault = { method: 'POST', path: '/v2/invites', times: Infinity, matches: isFirstTry };
	argyle.addFault({ kind: 'status', status: 400, ...fault });
	for (let form = 0; form < count; form++) await argyle.submitForm();
	const executions = await client.waitForExecutions(workflow.id, count);
	argyle.clearFaults();
	await client.unpublish(workflow.id);
	expect(failed.size).toBe(count);
	expect(executions.map(({ status }) => status)).toEqual(executions.map(() => 'success'));
	expect(THREE_ADDRESSES.map((address) => argyle.messagesTo(address))).toEqual([count, count, count]);
});

it('registers the URL of the webhook process and generates 20 receipts in workers, byte for byte', async () => {
	const { workflow, url } = await publish('Receipts', generateReceipt(fixture.credential, '={{ $json.data.user }}'));
	expect(subscriptionsTo(url)).toHaveLength(1);
	const users = randomIds(RECEIPTS).sort();
	for (const id of users) fixture.argyle.users.set(id, { id });
	for (const user of users) {
		const { attempts } = await fixture.argyle.submitForm({ user });
		expect(attempts.findLast((attempt) => attempt.url === url)).toMatchObject({ status: 200 });
	}
	const receipts = new Map(await Promise.all((await runsOf(workflow, RECEIPTS)).map(receiptOf)));
	expect([...receipts.keys()].sort()).toEqual(users);
	for (const [user, receipt] of receipts) expect(receipt).toEqual(await fixture.argyle.receiptPdf(user));
	await fixture.client.unpublish(workflow.id);
	expect(subscriptionsTo(url)).toHaveLength(0);
});

it('runs each of 500 deliveries once although a worker is killed half-way, and none of 50 forged ones', async () => {
	// Argyle has none of these forms, so none is asked for.
	const { workflow, url } = await publish('Load', n8nNode('Done', 'noOp'), { includeUserForm: false });
	const [genuine, forged] = [randomIds(GENUINE), randomIds(FORGED)];
	const secret = String(subscriptionsTo(url)[0]?.secret);
	const deliveries = [
		...genuine.map((formId) => ({ formId, secret })),
		...forged.map((formId) => ({ formId, secret: '0'.repeat(64) })),
	].sort((one, other) => one.formId.localeCompare(other.formId));

	const statuses = await deliverAll(url, deliveries, async () => await fixture.workers[0]?.kill());
	expect(genuine.filter((formId) => statuses.get(formId) !== 200)).toEqual([]);
	expect(forged.filter((formId) => statuses.get(formId) !== 401)).toEqual([]);

	const counts = await untilAllEnded(workflow);
	const failed = totalOf(counts) - (counts.get('success') ?? 0);
	expect(failed).toBeLessThanOrEqual(WORKER_CONCURRENCY);

	const executions = executionsByForm(workflow, [...genuine, ...forged]);
	expect(forged.filter((formId) => executions.get(formId) !== 0)).toEqual([]);
	expect(genuine.filter((formId) => Number(executions.get(formId)) > 1)).toEqual([]);
	// The executions that the dead worker ran may have lost their data.
	expect(genuine.filter((formId) => executions.get(formId) === 0).length).toBeLessThanOrEqual(failed);
});

it('starts 5 forms once that are submitted while the main process is restarted, with one needless execution for each look at most', async () => {
	const { workflow, formsBefore, looksBefore } = catchUp;
	const missed: string[] = [];
	await fixture.restartMain(() => {
		for (let count = 0; count < 5; count++) missed.push(fixture.argyle.storeForm().form.id);
	});
	await until('every missed form has started the workflow', 600_000, async () => {
		const executions = executionsByForm(workflow, missed);
		return missed.every((form) => executions.get(form) === 1) ? true : undefined;
	});
	const counts = await untilAllEnded(workflow);
	// The forms of the other workflow were delivered to this one too.
	const all = [...fixture.argyle.userForms.keys()].filter((form) => !formsBefore.includes(form));
	expect(all.filter((form) => executionsByForm(workflow, all).get(form) !== 1)).toEqual([]);
	// One that ended at the trigger may have died with the worker that was killed before.
	expect(counts.get('error') ?? 0).toBeLessThanOrEqual(1);
	// A look has one execution for all forms that the webhook process says it has received.
	expect(totalOf(counts) - all.length).toBeLessThanOrEqual(looks() - looksBefore);
}, 900_000);

it('stores keys and secrets nowhere but in the encrypted credential', () => {
	const { id, secret } = fixture.argyle.key;
	const secrets = [...fixture.argyle.subscriptions.values()].flatMap((subscription) => subscription.secret ?? []);
	expect(secrets.length).toBeGreaterThan(0);
	const logs = fixture.logs();
	const tables = dump(fixture.postgres);
	for (const text of [secret, btoa(`${id}:${secret}`), ...secrets]) {
		expect(logs).not.toContain(text);
		const found = [...tables].filter(([, rows]) => rows.includes(text)).map(([table]) => table);
		expect(found).toEqual([]);
	}
});
