import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { credentialFor } from '../support/fakeArgyle/credential.mts';
import type { Subscription } from '../support/fakeArgyle/index.mts';
import { wipeStaticData } from '../support/n8n/database.mts';
import { argyleTrigger, inARow } from '../support/n8n/nodes.mts';
import { until } from '../support/n8n/until.mts';
import type { FaultCase } from './faultCase.mts';
import { deleteIfPossible, type FaultFixture, withLastNode } from './faultFixture.mts';

const CHANGED_EVENTS = ['user_forms.submitted', 'user_forms.removed'];

/** Changes the events, without which n8n would not register the trigger again, and publishes. */
async function publishChanged(fixture: FaultFixture): Promise<number> {
	await fixture.changeTrigger({ parameters: { ...fixture.trigger.parameters, events: CHANGED_EVENTS } });
	await fixture.publish();
	return await fixture.expectHealed();
}

function addDuplicate({ argyle }: FaultFixture, subscription: Subscription): void {
	const id = randomUUID();
	argyle.subscriptions.set(id, { ...subscription, id });
}

/** What happens to a workflow, its credential and its subscription while the workflow is published. */
export const lifecycleFaults: FaultCase[] = [
	{
		fault: 'the static data of the workflow is lost',
		needed: 'nothing',
		async run(fixture) {
			await fixture.publish();
			wipeStaticData(fixture.n8nFixture.n8n, fixture.workflow.id);
			fixture.startTimer();
			return await fixture.expectHealed();
		},
	},
	{
		fault: 'the subscription is deleted at Argyle, and the changed trigger is published',
		needed: 'a publish',
		async run(fixture) {
			await fixture.publish();
			fixture.argyle.subscriptions.delete(fixture.ownSubscription().id);
			fixture.startTimer();
			return await publishChanged(fixture);
		},
	},
	{
		fault:
			'Argyle has two duplicates of the subscription, the static data is lost, and the changed trigger is published',
		needed: 'a publish',
		async run(fixture) {
			await fixture.publish();
			const own = fixture.ownSubscription();
			addDuplicate(fixture, own);
			addDuplicate(fixture, own);
			wipeStaticData(fixture.n8nFixture.n8n, fixture.workflow.id);
			fixture.startTimer();
			return await publishChanged(fixture);
		},
	},
	{
		fault: 'the events of the trigger are changed',
		needed: 'a publish',
		async run(fixture) {
			await fixture.publish();
			fixture.startTimer();
			const seconds = await publishChanged(fixture);
			expect(fixture.ownSubscription().events).toEqual(CHANGED_EVENTS);
			return seconds;
		},
	},
	{
		fault: 'the trigger is renamed',
		needed: 'a publish',
		async run(fixture) {
			await fixture.publish();
			fixture.startTimer();
			await fixture.changeTrigger({ name: 'Forms come in' });
			await fixture.publish();
			return await fixture.expectHealed();
		},
	},
	{
		fault: 'the credential is replaced by one of another Argyle account',
		needed: 'a publish',
		async run(fixture) {
			await fixture.publish();
			const other = await fixture.n8nFixture.connectArgyle();
			fixture.startTimer();
			await fixture.changeTrigger({ credentials: { argyleApi: other.credential } });
			await fixture.publish();
			const seconds = await fixture.expectHealed({ argyle: other.argyle });
			expect(fixture.ownSubscriptions()).toEqual([]);
			await fixture.unpublish();
			await until('no subscription is left in the other account', 120_000, async () =>
				other.argyle.subscriptions.size === 0 ? true : undefined,
			);
			return seconds;
		},
	},
	{
		fault: 'the API key is revoked while the workflow is published, and the log names the subscription that is left',
		needed: 'a publish',
		async run(fixture) {
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
			fixture.startTimer();
			await fixture.publish();
			return await fixture.expectHealed({ isHealed: (subscription) => subscription.id !== id });
		},
	},
	{
		fault: 'a delivery arrives while its subscription is created',
		needed: 'nothing',
		async run(fixture) {
			const statuses: unknown[] = [];
			const forms: string[] = [];
			fixture.argyle.onCreated = async () => {
				const { form, attempts } = await fixture.argyle.submitForm();
				statuses.push(...attempts.map(({ status }) => status));
				forms.push(form.id);
			};
			fixture.startTimer();
			await fixture.publish();
			fixture.argyle.onCreated = async () => {};
			expect(statuses.at(-1)).toBe(200);
			await fixture.expectEachRunsOnce(forms);
			return await fixture.expectHealed();
		},
	},
	{
		fault: 'a duplicate of the workflow is published and the workflow unpublished',
		needed: 'nothing',
		async run(fixture) {
			const { client, n8nFixture } = fixture;
			await fixture.publish();
			const trigger = argyleTrigger(fixture.credential);
			const nodes = withLastNode(trigger);
			const copy = await client.createWorkflow('Copy', nodes, inARow(nodes));
			await client.publish(copy);
			const copyUrl = `${n8nFixture.n8n.origin}/webhook/${trigger.webhookId}/webhook`;
			expect([fixture.ownSubscriptions().length, fixture.ownSubscriptions(copyUrl).length]).toEqual([1, 1]);
			await fixture.unpublish();
			await fixture.expectRemoved();
			expect(fixture.ownSubscriptions(copyUrl)).toHaveLength(1);
			fixture.startTimer();
			await client.archive(copy.id);
			await until('the subscription of the copy is deleted', 120_000, async () =>
				fixture.ownSubscriptions(copyUrl).length === 0 ? true : undefined,
			);
			return await fixture.expectRemoved();
		},
	},
	{
		fault: 'the workflow has two triggers, each of which has its own subscription and runs once',
		needed: 'nothing',
		async run(fixture) {
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
			for (const { name: trigger } of [fixture.trigger, second])
				await fixture.expectEachRunsOnce([form.id], { trigger });
			fixture.startTimer();
			await fixture.unpublish();
			await until('the second subscription is deleted', 120_000, async () =>
				fixture.ownSubscriptions(secondUrl).length === 0 ? true : undefined,
			);
			return await fixture.expectRemoved();
		},
	},
	{
		fault: 'the workflow is archived',
		needed: 'nothing',
		async run(fixture) {
			await fixture.publish();
			fixture.startTimer();
			await fixture.client.archive(fixture.workflow.id);
			return await fixture.expectRemoved();
		},
	},
	{
		fault: 'the workflow is deleted while Argyle is down for 20 s',
		needed: 'nothing',
		async run(fixture) {
			await fixture.publish();
			await fixture.duringOutage(20, async () => {
				await fixture.client.archive(fixture.workflow.id);
				await until(
					'the workflow is deleted',
					120_000,
					async () => await deleteIfPossible(fixture.client, fixture.workflow.id),
				);
			});
			return await fixture.expectRemoved();
		},
	},
	{
		fault: 'Argyle rejects the subscription when the workflow is published, and n8n shows why',
		needed: 'a publish',
		async run(fixture) {
			const body = { url: ['Must be public.'] };
			fixture.argyle.addFault({ kind: 'status', status: 400, method: 'POST', body, times: Infinity });
			await expect(fixture.publish()).rejects.toThrow(/Argyle did not accept the request.*Must be public/s);
			fixture.argyle.clearFaults();
			fixture.startTimer();
			await fixture.publish();
			return await fixture.expectHealed();
		},
	},
];
