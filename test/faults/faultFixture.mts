import assert from 'node:assert/strict';
import { placesOf } from '../support/n8n/database.mts';
import { argyleTrigger, type CredentialRef, inARow, n8nNode, type SavedNode } from '../support/n8n/nodes.mts';
import type { StoredWorkflow } from '../support/n8n/client.mts';
import { until } from '../support/n8n/until.mts';
import { credentialFor } from '../support/fakeArgyle/credential.mts';
import { type ApiKey, type FakeArgyle, startFakeArgyle, type Subscription } from '../support/fakeArgyle/index.mts';
import { newSubscription } from '../support/fakeArgyle/webhooks.mts';
import type { N8nFixture } from '../support/n8n/fixture.mts';

const DEADLINE_MS = 150_000;

/** A service of its own, with subscriptions of strangers, and a workflow with an Argyle Trigger for it. */
export class FaultFixture {
	readonly world: N8nFixture;

	readonly service: FakeArgyle;

	credential: CredentialRef;

	trigger: SavedNode;

	workflow: StoredWorkflow;

	/** Every secret that was in use: none of them may be found where it doesn't belong. */
	readonly secrets = new Set<string>();

	private readonly strangers: Subscription[];

	private since = Date.now();

	private constructor(
		world: N8nFixture,
		service: FakeArgyle,
		credential: CredentialRef,
		trigger: SavedNode,
		workflow: StoredWorkflow,
	) {
		this.world = world;
		this.service = service;
		this.credential = credential;
		this.trigger = trigger;
		this.workflow = workflow;
		this.strangers = [0, 1, 2].map((index) => {
			const url = `${this.url}${['/', '-2', '?x=1'][index]}`;
			return newSubscription({ name: 'Stranger', url, events: ['accounts.added'], secret: null });
		});
		for (const stranger of this.strangers) service.subscriptions.set(stranger.id, stranger);
	}

	/** Sets the scene in a world; nothing is published yet. */
	static async set(world: N8nFixture, name: string): Promise<FaultFixture> {
		const service = await startFakeArgyle({ requestsPerSecond: 1_000, retryAfterMs: 1_000 });
		const credential = await world.client.createCredential(name, 'argyleApi', credentialFor(service));
		const trigger = argyleTrigger(credential);
		const nodes = [trigger, n8nNode('Done', 'noOp')];
		const workflow = await world.client.createWorkflow(name, nodes, inARow(nodes));
		return new FaultFixture(world, service, credential, trigger, workflow);
	}

	get url(): string {
		return `${this.world.n8n.origin}/webhook/${this.trigger.webhookId}/webhook`;
	}

	get testUrl(): string {
		return this.url.replace('/webhook/', '/webhook-test/');
	}

	/** The subscriptions that send to an address, the trigger's own unless told. */
	ownSubscriptions(url = this.url): Subscription[] {
		const ours = [...this.service.subscriptions.values()].filter((subscription) => subscription.url === url);
		for (const { secret } of ours) if (secret !== null) this.secrets.add(secret);
		return ours;
	}

	async publish(): Promise<void> {
		await this.world.client.publish(this.workflow, DEADLINE_MS);
	}

	async unpublish(): Promise<void> {
		await this.world.client.unpublish(this.workflow.id, DEADLINE_MS);
	}

	/** Saves the trigger with some other settings. */
	async change(settings: Partial<SavedNode>): Promise<void> {
		this.trigger = { ...this.trigger, ...settings };
		const nodes = [this.trigger, n8nNode('Done', 'noOp')];
		this.workflow = await this.world.client.updateWorkflow(this.workflow, nodes, inARow(nodes));
	}

	/** From now on healing is timed. */
	startTimer(): void {
		this.since = Date.now();
	}

	/**
	 * Waits until exactly one subscription sends here, then delivers a form, which must run once. Gives the seconds since the
	 * mark.
	 */
	async expectHealed(service: FakeArgyle = this.service): Promise<number> {
		await until('exactly one subscription', DEADLINE_MS, async () => (this.countIs(1, service) ? true : undefined));
		const before = (await this.world.client.executions(this.workflow.id)).length;
		const { attempts } = await service.submitForm();
		assert.deepEqual(
			attempts.map(({ url, status }) => ({ url, status })),
			[{ url: this.url, status: 200 }],
		);
		const seconds = (Date.now() - this.since) / 1_000;
		const executions = await this.world.client.waitForExecutions(this.workflow.id, before + 1);
		assert.equal(executions.length, before + 1, 'the delivery ran once');
		assert.equal(executions[0]?.status, 'success');
		return seconds;
	}

	/** Waits until no subscription of ours is left, at either address. Gives the seconds since the mark. */
	async expectRemoved(): Promise<number> {
		await until('no subscription', DEADLINE_MS, async () =>
			this.countIs(0) && this.ownSubscriptions(this.testUrl).length === 0 ? true : undefined,
		);
		return (Date.now() - this.since) / 1_000;
	}

	private countIs(count: number, service: FakeArgyle = this.service): boolean {
		return [...service.subscriptions.values()].filter(({ url }) => url === this.url).length === count;
	}

	/** The subscriptions of strangers are as they were, and no key or secret stands where it doesn't belong. */
	expectNoSideEffects(keys: ApiKey[] = [this.service.key]): void {
		for (const stranger of this.strangers) assert.equal(this.service.subscriptions.get(stranger.id), stranger);
		for (const { id, secret } of keys)
			for (const text of [secret, btoa(`${id}:${secret}`)])
				assert.deepEqual(placesOf(this.world.n8n, text), [], 'the key stands nowhere but in the encrypted credential');
		for (const secret of this.secrets) {
			const strange = placesOf(this.world.n8n, secret).filter((place) => place !== 'workflow_entity.staticData');
			assert.deepEqual(strange, [], "the subscription's secret stands in the static data only");
		}
	}
}
