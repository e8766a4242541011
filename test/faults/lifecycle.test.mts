import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { credentialFor } from '../support/fakeArgyle/credential.mts';
import { argyleTrigger, inARow } from '../support/n8n/nodes.mts';
import { until } from '../support/n8n/until.mts';
import { DELIVERY_TIMING, deleteIfPossible, withLastNode } from './faultFixture.mts';
import { inSharedN8n } from './faultTests.mts';

/** What happens to a workflow, its credential and Argyle while it is published or unpublished. */
const recovers = inSharedN8n();

recovers('Argyle is down for ten seconds when the workflow is published', async (fixture) => {
	await fixture.duringOutage(10, async () => await fixture.publish());
	await fixture.expectHealed();
});

recovers('Argyle is down for a minute when the workflow is unpublished', async (fixture) => {
	await fixture.publish();
	await fixture.duringOutage(60, async () => await fixture.unpublish());
	await fixture.expectRemoved();
});

recovers('the trigger is renamed', async (fixture) => {
	await fixture.publish();
	await fixture.changeTrigger({ name: 'Forms come in' });
	await fixture.publish();
	await fixture.expectHealed();
});

recovers('the credential is replaced by one of another Argyle account', async (fixture) => {
	await fixture.publish();
	const other = await fixture.n8nFixture.connectArgyle(DELIVERY_TIMING);
	await fixture.changeTrigger({ credentials: { argyleApi: other.credential } });
	await fixture.publish();
	await fixture.expectHealed({ argyle: other.argyle });
	expect(fixture.ownSubscriptions()).toEqual([]);
	await fixture.unpublish();
	await until('no subscription is left in the other account', 120_000, async () =>
		other.argyle.subscriptions.size === 0 ? true : undefined,
	);
});

recovers(
	'the API key is revoked while the workflow is published, and the log names the subscription that is left',
	async (fixture) => {
		await fixture.publish();
		const { id } = fixture.ownSubscription();
		fixture.argyle.key = { id: randomUUID(), secret: randomUUID() };
		await fixture.expectHealed();
		await fixture.unpublish().catch(() => undefined);
		const warning = `The webhook subscription ${id} stays at Argyle`;
		await until('the log names the subscription', 120_000, async () =>
			readFileSync(fixture.n8nFixture.n8n.logFile, 'utf8').includes(warning) ? true : undefined,
		);
		expect(fixture.ownSubscription().id).toBe(id);
		await fixture.client.updateCredential(fixture.credential, 'argyleApi', credentialFor(fixture.argyle));
		await fixture.publish();
		await fixture.expectHealed({ isHealed: (subscription) => subscription.id !== id });
	},
);

recovers('a delivery arrives while its subscription is created', async (fixture) => {
	const statuses: unknown[] = [];
	const forms: string[] = [];
	fixture.argyle.onCreated = async () => {
		const { form, attempts } = await fixture.argyle.submitForm();
		statuses.push(...attempts.map(({ status }) => status));
		forms.push(form.id);
	};
	await fixture.publish();
	fixture.argyle.onCreated = async () => {};
	expect(statuses.at(-1)).toBe(200);
	await fixture.expectEachRunsOnce(forms);
	await fixture.expectHealed();
});

recovers('the workflow has two triggers, each of which has its own subscription and runs once', async (fixture) => {
	const second = { ...argyleTrigger(fixture.credential), name: 'Second Trigger' };
	const [first, done] = withLastNode(fixture.trigger);
	const connections = { ...inARow([fixture.trigger, done]), ...inARow([second, done]) };
	const { client } = fixture;
	fixture.workflow = await client.updateWorkflow(fixture.workflow, [first, done, second], connections);
	await fixture.publish();
	const secondUrl = fixture.url.replace(String(fixture.trigger.webhookId), String(second.webhookId));
	const subscriptions = [...fixture.ownSubscriptions(), ...fixture.ownSubscriptions(secondUrl)];
	expect(new Set(subscriptions.map(({ secret }) => secret)).size).toBe(2);
	expect(subscriptions).toHaveLength(2);
	const { form, attempts } = await fixture.argyle.submitForm();
	expect(attempts).toMatchObject([{ status: 200 }, { status: 200 }]);
	for (const { name: trigger } of [fixture.trigger, second]) await fixture.expectEachRunsOnce([form.id], trigger);
	await fixture.unpublish();
	await until('the second subscription is deleted', 120_000, async () =>
		fixture.ownSubscriptions(secondUrl).length === 0 ? true : undefined,
	);
	await fixture.expectRemoved();
});

recovers('the workflow is deleted while Argyle is down for 20 s', async (fixture) => {
	await fixture.publish();
	await fixture.duringOutage(20, async () => {
		await fixture.client.archive(fixture.workflow.id);
		await until(
			'the workflow is deleted',
			120_000,
			async () => await deleteIfPossible(fixture.client, fixture.workflow.id),
		);
	});
	await fixture.expectRemoved();
});
