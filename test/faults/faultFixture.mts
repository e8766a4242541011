import { setTimeout as wait } from 'node:timers/promises';
import type { FakeArgyle, Subscription } from '../support/fakeArgyle/index.mts';
import { newSubscription } from '../support/fakeArgyle/webhooks.mts';
import { isJson } from '../support/json.mts';
import type { N8nClient } from '../support/n8n/client.mts';
import type { StoredWorkflow } from '../support/n8n/workflow.mts';
import type { ArgyleConnection } from '../support/n8n/connectArgyle.mts';
import { placesOf } from '../support/n8n/database.mts';
import type { N8nFixture } from '../support/n8n/fixture.mts';
import { argyleTrigger, type CredentialRef, n8nNode, type SavedNode } from '../support/n8n/nodes.mts';
import { until } from '../support/n8n/until.mts';

/** More patient than Argyle, because a machine may be busy with something else. */
export const DELIVERY_TIMING = { deliveryTimeoutMs: 60_000, retryAfterMs: 1_000 };

const DEADLINE_MS = 150_000;

interface Healing {
	/** The Argyle that has the subscription. */
	argyle?: FakeArgyle;
	/** What is true of the subscription only when it is healed. */
	isHealed?: (subscription: Subscription) => boolean;
	deadlineMs?: number;
}

export const withLastNode = (trigger: SavedNode, lastNode = n8nNode('Done', 'noOp')): SavedNode[] => [
	trigger,
	lastNode,
];

/** n8n refuses to delete a workflow that is still being archived. */
export async function deleteIfPossible(client: N8nClient, workflowId: string): Promise<true | undefined> {
	return await client.deleteWorkflow(workflowId).then(
		() => true,
		() => undefined,
	);
}

/** A workflow with an Argyle Trigger, and a fake Argyle of its own, which has subscriptions to similar URLs too. */
export class FaultFixture {
	readonly n8nFixture: N8nFixture;

	readonly client: N8nClient;

	readonly argyle: FakeArgyle;

	readonly credential: CredentialRef;

	trigger: SavedNode;

	workflow: StoredWorkflow;

	private readonly foreignSubscriptions: Subscription[];

	private constructor(
		n8nFixture: N8nFixture,
		{ argyle, credential }: ArgyleConnection,
		trigger: SavedNode,
		workflow: StoredWorkflow,
	) {
		this.n8nFixture = n8nFixture;
		this.client = n8nFixture.client;
		this.argyle = argyle;
		this.credential = credential;
		this.trigger = trigger;
		this.workflow = workflow;
		this.foreignSubscriptions = ['/', '-2', '?x=1'].map((suffix) =>
			newSubscription({ name: 'Foreign', url: `${this.url}${suffix}`, events: ['accounts.added'], secret: null }),
		);
		for (const subscription of this.foreignSubscriptions) argyle.subscriptions.set(subscription.id, subscription);
	}

	/** Saves the workflow, which is not published yet. */
	static async create(n8nFixture: N8nFixture, name: string): Promise<FaultFixture> {
		const connection = await n8nFixture.connectArgyle(DELIVERY_TIMING);
		const trigger = argyleTrigger(connection.credential);
		const workflow = await n8nFixture.client.createWorkflow(name, withLastNode(trigger));
		return new FaultFixture(n8nFixture, connection, trigger, workflow);
	}

	get url(): string {
		return `${this.n8nFixture.n8n.origin}/webhook/${this.trigger.webhookId}/webhook`;
	}

	get testUrl(): string {
		return this.url.replace('/webhook/', '/webhook-test/');
	}

	/** The subscription of the published workflow. */
	ownSubscription(): Subscription {
		const [own, ...duplicates] = this.ownSubscriptions();
		if (own === undefined || duplicates.length > 0) throw new Error('There is not exactly one subscription');
		return own;
	}

	ownSubscriptions(url = this.url): Subscription[] {
		return [...this.argyle.subscriptions.values()].filter((subscription) => subscription.url === url);
	}

	async publish(): Promise<void> {
		await this.client.publish(this.workflow, DEADLINE_MS);
	}

	async unpublish(): Promise<void> {
		await this.client.unpublish(this.workflow.id, DEADLINE_MS);
	}

	/** Saves the workflow with other settings of the trigger. */
	async changeTrigger(settings: Partial<SavedNode>, lastNode?: SavedNode): Promise<void> {
		this.trigger = { ...this.trigger, ...settings };
		this.workflow = await this.client.updateWorkflow(this.workflow, withLastNode(this.trigger, lastNode));
	}

	/** Stops Argyle for these seconds while `work` is done. */
	async duringOutage(seconds: number, work: () => Promise<unknown>): Promise<void> {
		await this.argyle.goOffline();
		const isOver = wait(seconds * 1_000).then(async () => {
			await this.argyle.goOnline();
		});
		await Promise.all([isOver, work()]);
	}

	/** Waits until the trigger has asked for missed forms after `work`, so that it won't look again for minutes. */
	async untilLooked(work: () => Promise<unknown>): Promise<void> {
		const before = this.looks();
		await work();
		await until('the trigger has looked', DEADLINE_MS, async () => (this.looks() > before ? true : undefined));
	}

	private looks(): number {
		return this.argyle.requests.filter(({ path }) => path === '/v2/user-forms').length;
	}

	/** Waits until there is exactly one subscription to the trigger's URL, whose delivery runs the workflow once. */
	async expectHealed({
		argyle = this.argyle,
		isHealed = () => true,
		deadlineMs = DEADLINE_MS,
	}: Healing = {}): Promise<void> {
		await until('exactly one subscription', deadlineMs, async () => {
			const own = [...argyle.subscriptions.values()].filter(({ url }) => url === this.url);
			return own.length === 1 && own.every(isHealed) ? true : undefined;
		});
		const { form, attempts } = await argyle.submitForm();
		expect(attempts).toMatchObject([{ url: this.url, status: 200 }]);
		await this.expectEachRunsOnce([form.id]);
	}

	/**
	 * Waits until each form has come to the node behind the trigger and all executions have ended, and expects that it
	 * came there once. The trigger may have executions of its own beside, which end at it.
	 */
	async expectEachRunsOnce(forms: string[], trigger = this.trigger.name): Promise<void> {
		const statuses = await until('each form has started the workflow', DEADLINE_MS, async () => {
			const executions = await this.client.waitForExecutions(this.workflow.id, 1, DEADLINE_MS);
			const runs = await Promise.all(executions.map(async ({ id }) => await this.client.execution(id)));
			const runsOf = (form: string) =>
				runs.filter(({ output }) => JSON.stringify(output[trigger] ?? []).includes(form));
			const found = forms.map((form) => runsOf(form).map(({ status }) => status));
			return found.every(({ length }) => length > 0) ? found : undefined;
		});
		expect(statuses).toEqual(forms.map(() => ['success']));
	}

	/** Waits until there is no subscription to the trigger's URL or test URL. */
	async expectRemoved(): Promise<void> {
		await until('no subscription', DEADLINE_MS, async () =>
			[this.url, this.testUrl].every((url) => this.ownSubscriptions(url).length === 0) ? true : undefined,
		);
	}

	/** The secrets of all subscriptions that there were or are. */
	subscriptionSecrets(): string[] {
		const created = this.argyle.requests.map(({ body }) => (isJson(body) ? body.secret : undefined));
		const current = this.ownSubscriptions().map(({ secret }) => secret);
		return [...new Set([...created, ...current].filter((secret) => typeof secret === 'string'))];
	}

	/** Foreign subscriptions are as they were, and n8n has stored no key or secret in plain text where it should not. */
	expectNoSideEffects(subscriptionSecrets: string[]): void {
		for (const foreign of this.foreignSubscriptions) expect(this.argyle.subscriptions.get(foreign.id)).toBe(foreign);
		const { n8n } = this.n8nFixture;
		const { id, secret } = this.argyle.key;
		for (const text of [secret, btoa(`${id}:${secret}`), ...subscriptionSecrets])
			expect(placesOf(n8n, text)).toEqual([]);
	}
}
