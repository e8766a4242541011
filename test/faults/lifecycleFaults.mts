import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { argyleTrigger, inARow, n8nNode } from '../support/n8n/nodes.mts';
import { wipeStaticData } from '../support/n8n/database.mts';
import { until } from '../support/n8n/until.mts';
import { startFakeArgyle } from '../support/fakeArgyle/index.mts';
import type { FaultCase } from './faultCase.mts';
import { credentialFor } from '../support/fakeArgyle/credential.mts';
import type { FaultFixture } from './fixture.mts';

/** Other settings than before, so that n8n registers the trigger anew. */
const changed = (scene: FaultFixture) => ({
	parameters: { ...scene.trigger.parameters, events: ['user_forms.submitted', 'user_forms.removed'] },
});

async function publishChanged(scene: FaultFixture): Promise<number> {
	await scene.change(changed(scene));
	await scene.publish();
	return await scene.expectHealed();
}

/** What happens to a workflow, its credential and its subscription in their life. */
export const lifeRows: FaultCase[] = [
	{
		fault: 'static data wiped',
		needed: 'a delivery',
		async run(scene) {
			await scene.publish();
			wipeStaticData(scene.world.n8n, scene.workflow.id);
			scene.startTimer();
			return await scene.expectHealed();
		},
	},
	{
		fault: 'static data of an older subscription brought back',
		needed: 'a delivery',
		async run(scene) {
			await scene.publish();
			const [mine] = scene.ownSubscriptions();
			assert.ok(mine);
			// The same as a secret that is no longer the one in the static data.
			mine.secret = '5'.repeat(64);
			scene.startTimer();
			return await scene.expectHealed();
		},
	},
	{
		fault: 'subscription deleted at the service',
		needed: 'a publish',
		async run(scene) {
			await scene.publish();
			for (const { id } of scene.ownSubscriptions()) scene.service.subscriptions.delete(id);
			scene.startTimer();
			return await publishChanged(scene);
		},
	},
	{
		fault: 'twins and an orphan at our address',
		needed: 'a publish',
		async run(scene) {
			await scene.publish();
			for (const [mine] of [scene.ownSubscriptions(), scene.ownSubscriptions()]) {
				assert.ok(mine);
				const id = randomUUID();
				scene.service.subscriptions.set(id, { ...mine, id });
			}
			wipeStaticData(scene.world.n8n, scene.workflow.id);
			scene.startTimer();
			return await publishChanged(scene);
		},
	},
	{
		fault: 'events changed',
		needed: 'a publish',
		async run(scene) {
			await scene.publish();
			scene.startTimer();
			const seconds = await publishChanged(scene);
			assert.deepEqual(scene.ownSubscriptions()[0]?.events, ['user_forms.submitted', 'user_forms.removed']);
			return seconds;
		},
	},
	{
		fault: 'the trigger renamed',
		needed: 'a publish',
		async run(scene) {
			await scene.publish();
			scene.startTimer();
			await scene.change({ name: 'Forms come in' });
			await scene.publish();
			return await scene.expectHealed();
		},
	},
	{
		fault: 'credential swapped for one of another account',
		needed: 'a publish',
		async run(scene) {
			await scene.publish();
			const other = await startFakeArgyle({ requestsPerSecond: 1_000 });
			try {
				const credential = await scene.world.client.createCredential('Other', 'argyleApi', credentialFor(other));
				scene.startTimer();
				await scene.change({ credentials: { argyleApi: credential } });
				await scene.publish();
				const seconds = await scene.expectHealed(other);
				assert.equal(scene.ownSubscriptions().length, 0, 'none is left in the first account');
				await scene.unpublish();
				await until('none is left', 20_000, async () => (other.subscriptions.size === 0 ? true : undefined));
				return seconds;
			} finally {
				await other.stop();
			}
		},
	},
	{
		fault: 'keys revoked while active: verification goes on; deactivation names what stays; working keys remove it',
		needed: 'a publish',
		async run(scene) {
			await scene.publish();
			scene.service.key = { id: randomUUID(), secret: randomUUID() };
			await scene.expectHealed();
			const [mine] = scene.ownSubscriptions();
			await scene.unpublish().catch(() => undefined);
			const told = `The webhook subscription ${mine?.id} stays at Argyle`;
			await until('the log names the subscription', 30_000, async () =>
				readFileSync(scene.world.n8n.logFile, 'utf8').includes(told) ? true : undefined,
			);
			assert.equal(scene.ownSubscriptions().length, 1);
			await scene.world.client.updateCredential(scene.credential, 'argyleApi', credentialFor(scene.service));
			scene.startTimer();
			await scene.publish();
			return await scene.expectHealed();
		},
	},
	{
		fault: 'a delivery that arrives during create',
		needed: 'nothing',
		async run(scene) {
			const answers: unknown[] = [];
			scene.service.onCreated = async () => {
				const { attempts } = await scene.service.submitForm();
				answers.push(...attempts.map(({ status }) => status));
			};
			scene.startTimer();
			await scene.publish();
			scene.service.onCreated = async () => {};
			assert.equal(answers.at(-1), 200, `answered ${answers.join(', ')}`);
			await scene.world.client.waitForExecutions(scene.workflow.id, 1);
			return await scene.expectHealed();
		},
	},
	{
		fault: 'workflow duplicated, both published, the first unpublished',
		needed: 'nothing',
		async run(scene) {
			const { client, n8n } = scene.world;
			await scene.publish();
			const nodes = [argyleTrigger(scene.credential), n8nNode('Done', 'noOp')];
			const copy = await client.createWorkflow('Copy', nodes, inARow(nodes));
			await client.publish(copy);
			const copyUrl = `${n8n.origin}/webhook/${nodes[0]?.webhookId}/webhook`;
			assert.deepEqual([scene.ownSubscriptions().length, scene.ownSubscriptions(copyUrl).length], [1, 1]);
			await scene.unpublish();
			await scene.expectRemoved();
			assert.equal(scene.ownSubscriptions(copyUrl).length, 1);
			scene.startTimer();
			await client.archive(copy.id);
			await until('none is left', 20_000, async () =>
				scene.ownSubscriptions(copyUrl).length === 0 ? true : undefined,
			);
			return await scene.expectRemoved();
		},
	},
	{
		fault: 'workflow archived',
		needed: 'nothing',
		async run(scene) {
			await scene.publish();
			scene.startTimer();
			await scene.world.client.archive(scene.workflow.id);
			return await scene.expectRemoved();
		},
	},
	{
		fault: 'workflow deleted while the service is away for 20 s',
		needed: 'nothing',
		async run(scene) {
			const { client } = scene.world;
			await scene.publish();
			await scene.service.goOffline();
			const back = new Promise((resolve) => setTimeout(resolve, 20_000)).then(
				async () => await scene.service.goOnline(),
			);
			scene.startTimer();
			const gone = client
				.archive(scene.workflow.id)
				.then(async () => await until('it is deleted', 60_000, async () => await deleted(scene)));
			await Promise.all([back, gone]);
			return (await scene.expectRemoved()) - 20;
		},
	},
	{
		fault: 'a refusal for good at activation, told in our words',
		needed: 'a publish',
		async run(scene) {
			const refusal = { url: ['Must be public.'] };
			scene.service.addFault({ kind: 'status', status: 400, method: 'POST', body: refusal, times: Infinity });
			await assert.rejects(scene.publish(), /Argyle did not accept the request.*Must be public/s);
			scene.service.clearFaults();
			if (scene.world.activation === 'publication') await scene.unpublish();
			scene.startTimer();
			await scene.publish();
			return await scene.expectHealed();
		},
	},
];

async function deleted(scene: FaultFixture): Promise<true | undefined> {
	return await scene.world.client.deleteWorkflow(scene.workflow.id).then(
		() => true,
		() => undefined,
	);
}
