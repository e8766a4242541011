import { randomUUID } from 'node:crypto';
import { argyleTrigger, generateReceipt, inARow, n8nNode, type SavedNode } from '../../support/n8n/nodes.mts';
import { SANDBOX_WHEN_NEEDED } from '../../support/n8n/process.mts';
import type { StoredWorkflow } from '../../support/n8n/client.mts';
import { until } from '../../support/n8n/until.mts';
import { eventBody, sign } from '../../support/fakeArgyle/signedEvent.mts';
import { deliverBytes } from '../../support/fakeArgyle/deliveries.mts';
import { dump, query } from '../../support/n8n/queueServers.mts';
import { type QueueFixture, startQueueFixture } from '../../support/n8n/queueFixture.mts';

const DELIVERIES = 2_000;
const AT_ONCE = 30;
const RECEIPTS = 20;
/** How many executions a worker has in hand; n8n runs none of a dead worker's again, but ends them as failed. */
const IN_HAND = 10;

let stage: QueueFixture;
beforeAll(async () => {
	stage = await startQueueFixture(SANDBOX_WHEN_NEEDED);
}, 300_000);
afterAll(async () => await stage.stop(), 120_000);

async function publish(name: string, following: SavedNode): Promise<{ workflow: StoredWorkflow; url: string }> {
	// What is not answered in time comes again, and must not run again.
	const trigger = argyleTrigger(stage.credential, { options: { skipDuplicates: true } });
	const nodes = [trigger, following];
	const workflow = await stage.client.createWorkflow(name, nodes, inARow(nodes));
	await stage.client.publish(workflow);
	return { workflow, url: `${stage.webhook.origin}/webhook/${trigger.webhookId}/webhook` };
}

const subscriptionTo = (url: string) =>
	[...stage.service.subscriptions.values()].filter((subscription) => subscription.url === url);

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const statuses = (workflow: StoredWorkflow) =>
	query(
		stage.postgres,
		`SELECT status, count(*) FROM execution_entity WHERE "workflowId" = '${workflow.id}' GROUP BY status ORDER BY status`,
	);

it('registers at the address of the webhook process, takes deliveries there, and makes receipts in a worker, whole', async () => {
	const { workflow, url } = await publish('Receipts', generateReceipt(stage.credential, '={{ $json.data.user }}'));
	expect(subscriptionTo(url)).toHaveLength(1);
	const users = [...stage.service.users.keys()].slice(0, RECEIPTS);
	for (const user of users) {
		const { attempts } = await stage.service.submitForm({ user });
		expect(attempts).toMatchObject([{ url, status: 200 }]);
	}
	const executions = await stage.client.waitForExecutions(workflow.id, users.length, 120_000);
	const made = new Set<string>();
	for (const { id } of executions) {
		const { status, output } = await stage.client.execution(id);
		expect(status).toBe('success');
		const [item] = output['Generate Receipt'] ?? [];
		const user = String(item?.json.user);
		expect(item?.binary?.data?.id).toMatch(/^database:/);
		const bytes = item?.binary?.data === undefined ? undefined : await stage.client.binary(item.binary.data);
		expect(bytes).toEqual(await stage.service.receiptPdf(user));
		made.add(user);
	}
	expect([...made].sort()).toEqual([...users].sort());
	await stage.client.unpublish(workflow.id);
	expect(subscriptionTo(url)).toHaveLength(0);
}, 240_000);

it('runs each of 2,000 deliveries although a worker is killed half-way, and none that is not signed', async () => {
	const { workflow, url } = await publish('Load', n8nNode('Done', 'noOp'));
	const secret = String(subscriptionTo(url)[0]?.secret);
	const forms = Array.from({ length: DELIVERIES }, () => randomUUID());
	const forged = new Set(Array.from({ length: DELIVERIES / 20 }, () => randomUUID()));
	const waiting = [...forms, ...forged].sort();
	const answers = new Map<string, number | null | undefined>();
	const timing = { timeoutMs: 10_000, retryAfterMs: 5_000 };
	const startedAt = Date.now();
	let killed: Promise<void> | undefined;
	await Promise.all(
		Array.from({ length: AT_ONCE }, async () => {
			for (let form = waiting.pop(); form !== undefined; form = waiting.pop()) {
				const body = eventBody('user_forms.submitted', 'Load', { account: 'a', user: 'u', user_form: form });
				const signature = sign(body, forged.has(form) ? '0'.repeat(64) : secret);
				const headers = { 'X-Argyle-Signature': signature };
				const attempts = await deliverBytes(url, body, headers, timing, new AbortController().signal);
				answers.set(form, attempts.at(-1)?.status);
				if (answers.size > DELIVERIES / 2) killed ??= stage.workers[0]?.kill();
			}
		}),
	);
	await killed;
	const sentIn = (Date.now() - startedAt) / 1_000;
	expect(forms.filter((form) => answers.get(form) !== 200)).toEqual([]);
	expect([...forged].filter((form) => answers.get(form) !== 401)).toEqual([]);

	await until('every execution has ended', 240_000, async () =>
		statuses(workflow).some((line) => /^(new|running|waiting)\t/.test(line)) ? undefined : true,
	);
	const texts = query(
		stage.postgres,
		`SELECT d.data FROM execution_data d JOIN execution_entity e ON e.id = d."executionId" WHERE e."workflowId" = '${workflow.id}'`,
	);
	const runs = new Map<string, number>();
	for (const text of texts)
		for (const id of new Set(text.match(UUID))) if (answers.has(id)) runs.set(id, (runs.get(id) ?? 0) + 1);
	const counts = new Map(statuses(workflow).map((line) => [line.split('\t')[0], Number(line.split('\t')[1])]));
	const ended = [...counts.values()].reduce((sum, count) => sum + count, 0);
	const succeeded = counts.get('success') ?? 0;
	console.log(
		`queue mode: ${DELIVERIES} deliveries in ${sentIn.toFixed(1)} s (${(DELIVERIES / sentIn).toFixed(0)}/s), all ended after ${((Date.now() - startedAt) / 1_000).toFixed(1)} s: ${statuses(workflow).join(', ').replaceAll('\t', ' ')}; ${forged.size} forged refused`,
	);
	expect([...forged].filter((form) => runs.has(form))).toEqual([]);
	expect(forms.filter((form) => (runs.get(form) ?? 0) > 1)).toEqual([]);
	// Every delivery that was taken has its execution; those that the dead worker had in hand may have lost their data.
	expect(ended).toBe(DELIVERIES);
	expect(DELIVERIES - succeeded).toBeLessThanOrEqual(IN_HAND);
	expect(forms.filter((form) => runs.get(form) === undefined).length).toBeLessThanOrEqual(DELIVERIES - succeeded);
}, 600_000);

it('keeps every key and secret where it belongs', () => {
	const { id, secret } = stage.service.key;
	const secrets = [...stage.service.subscriptions.values()].flatMap((subscription) => subscription.secret ?? []);
	expect(secrets.length).toBeGreaterThan(0);
	const logs = stage.logs();
	const tables = dump(stage.postgres);
	for (const text of [secret, btoa(`${id}:${secret}`), ...secrets]) {
		expect(logs).not.toContain(text);
		const places = [...tables].filter(([, rows]) => rows.includes(text)).map(([table]) => table);
		// A subscription's secret stands in its workflow's static data.
		expect(places).toEqual(secrets.includes(text) ? ['workflow_entity'] : []);
	}
});
