import type { Subscription } from '../support/fakeArgyle/index.mts';
import type { N8nFixture } from '../support/n8n/fixture.mts';
import { until } from '../support/n8n/until.mts';
import { deleteIfPossible, type FaultFixture, withLastNode } from './faultFixture.mts';
import { inOwnN8n } from './faultTests.mts';

const DEADLINE_MS = 150_000;

/** Another n8n with a copy of the data, as staging made from a backup is. */
class Copy {
	private readonly n8nFixture: N8nFixture;

	private readonly original: FaultFixture;

	private readonly originalSubscription: Subscription;

	private readonly forms: string[] = [];

	constructor(n8nFixture: N8nFixture, original: FaultFixture, originalSubscription: Subscription) {
		this.n8nFixture = n8nFixture;
		this.original = original;
		this.originalSubscription = originalSubscription;
	}

	get client() {
		return this.n8nFixture.client;
	}

	private subscriptions(): Subscription[] {
		const { origin } = this.original.n8nFixture.n8n;
		return this.original.ownSubscriptions(this.original.url.replace(origin, this.n8nFixture.n8n.origin));
	}

	async untilRegistered(event = 'user_forms.submitted'): Promise<void> {
		await until('the copy has its own subscription', DEADLINE_MS, async () =>
			this.subscriptions().some(({ events }) => events.includes(event)) ? true : undefined,
		);
		expect(this.subscriptions()).toHaveLength(1);
	}

	async untilRemoved(): Promise<void> {
		await until('the copy has no subscription', DEADLINE_MS, async () =>
			this.subscriptions().length === 0 ? true : undefined,
		);
	}

	async changeAndPublish(events: string[]): Promise<void> {
		const { trigger } = this.original;
		const nodes = withLastNode({ ...trigger, parameters: { ...trigger.parameters, events } });
		const stored = await this.client.workflow(this.original.workflow.id);
		await this.client.publish(await this.client.updateWorkflow(stored, nodes));
	}

	async archiveAndDelete(): Promise<void> {
		const { id } = this.original.workflow;
		await this.client.archive(id);
		await this.untilRemoved();
		await until('the workflow is deleted', DEADLINE_MS, async () => await deleteIfPossible(this.client, id));
	}

	/** The original's subscription is the same one, and each form that was delivered ran once there. */
	async expectOriginalUntouched(): Promise<void> {
		const { original } = this;
		expect(original.ownSubscription()).toBe(this.originalSubscription);
		const { form, attempts } = await original.argyle.submitForm();
		expect(attempts.filter(({ url }) => url === original.url)).toMatchObject([{ status: 200 }]);
		this.forms.push(form.id);
		await original.expectEachRunsOnce(this.forms);
	}

	async stop(): Promise<void> {
		await this.n8nFixture.stop();
	}
}

/** Publishes, starts a copy, and does `work` there. */
async function withCopy(fixture: FaultFixture, work: (copy: Copy) => Promise<void>): Promise<void> {
	await fixture.publish();
	const subscription = fixture.ownSubscription();
	const copy = new Copy(await fixture.n8nFixture.startCopy(), fixture, subscription);
	try {
		await work(copy);
		await copy.expectOriginalUntouched();
	} finally {
		await copy.stop();
	}
}

/** What is done in a copy of n8n's data, while the original goes on. */
const recovers = inOwnN8n();

recovers(
	'a copy of the data is started elsewhere, where the workflow is published, changed, unpublished and deleted',
	async (fixture) =>
		await withCopy(fixture, async (copy) => {
			await copy.untilRegistered();
			await copy.expectOriginalUntouched();
			await copy.changeAndPublish(['user_forms.submitted', 'user_forms.removed']);
			await copy.untilRegistered('user_forms.removed');
			await copy.expectOriginalUntouched();
			await copy.client.unpublish(fixture.workflow.id);
			await copy.untilRemoved();
			await copy.expectOriginalUntouched();
			await copy.changeAndPublish(['user_forms.submitted']);
			await copy.untilRegistered();
			await copy.expectOriginalUntouched();
			await copy.archiveAndDelete();
		}),
);
