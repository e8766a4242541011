import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { argyleTrigger, inARow, n8nNode } from '../support/n8n/nodes.mts';
import { wipeStaticData } from '../support/n8n/database.mts';
import { until } from '../support/n8n/until.mts';
import { startService } from '../support/fakeArgyle/index.mts';
import type { Row } from './faultCase.mts';
import { credentialFor } from '../support/fakeArgyle/credential.mts';
import type { Scene } from './fixture.mts';

/** Other settings than before, so that n8n registers the trigger anew. */
const changed = (scene: Scene) => ({
	parameters: { ...scene.trigger.parameters, events: ['user_forms.submitted', 'user_forms.removed'] },
});

async function publishChanged(scene: Scene): Promise<number> {
	await scene.change(changed(scene));
	await scene.publish();
	return await scene.becomesWhole();
}

/** What happens to a workflow, its credential and its subscription in their life. */
export const lifeRows: Row[] = [
	{
		fault: 'static data wiped',
		needs: 'a delivery',
		async run(scene) {
			await scene.publish();
			wipeStaticData(scene.world.n8n, scene.workflow.id);
			scene.mark();
			return await scene.becomesWhole();
		},
	},
	{
		fault: 'static data of an older subscription brought back',
		needs: 'a delivery',
		async run(scene) {
			await scene.publish();
			const [mine] = scene.ours();
			assert.ok(mine);
			// The same as a secret that is no longer the one in the static data.
			mine.secret = '5'.repeat(64);
			scene.mark();
			return await scene.becomesWhole();
		},
	},
	{
		fault: 'subscription deleted at the service',
		needs: 'a publish',
		async run(scene) {
			await scene.publish();
			for (const { id } of scene.ours()) scene.service.subscriptions.delete(id);
			scene.mark();
			return await publishChanged(scene);
		},
	},
	{
		fault: 'twins and an orphan at our address',
		needs: 'a publish',
		async run(scene) {
			await scene.publish();
			for (const [mine] of [scene.ours(), scene.ours()]) {
				assert.ok(mine);
				const id = randomUUID();
				scene.service.subscriptions.set(id, { ...mine, id });
			}
			wipeStaticData(scene.world.n8n, scene.workflow.id);
			scene.mark();
			return await publishChanged(scene);
		},
	},
	{
		fault: 'events changed',
		needs: 'a publish',
		async run(scene) {
			await scene.publish();
			scene.mark();
			const seconds = await publishChanged(scene);
			assert.deepEqual(scene.ours()[0]?.events, ['user_forms.submitted', 'user_forms.removed']);
			return seconds;
		},
	},
	{
		fault: 'the trigger renamed',
		needs: 'a publish',
		async run(scene) {
			await scene.publish();
			scene.mark();
			await scene.change({ name: 'Forms come in' });
			await scene.publish();
			return await scene.becomesWhole();
		},
	},
	{
		fault: 'credential swapped for one of another account',
		needs: 'a publish',
		async run(scene) {
			await scene.publish();
			const other = await startService({ requestsPerSecond: 1_000 });
			try {
				const credential = await scene.world.client.createCredential('Other', 'argyleApi', credentialFor(other));
				scene.mark();
				await scene.change({ credentials: { argyleApi: credential } });
				await scene.publish();
				const seconds = await scene.becomesWhole(other);
				assert.equal(scene.ours().length, 0, 'none is left in the first account');
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
		needs: 'a publish',
		async run(scene) {
			await scene.publish();
			scene.service.key = { id: randomUUID(), secret: randomUUID() };
			await scene.becomesWhole();
			const [mine] = scene.ours();
			await scene.unpublish().catch(() => undefined);
			const told = `The webhook subscription ${mine?.id} stays at Argyle`;
			await until('the log names the subscription', 30_000, async () =>
				readFileSync(scene.world.n8n.logFile, 'utf8').includes(told) ? true : undefined,
			);
			assert.equal(scene.ours().length, 1);
			await scene.world.client.updateCredential(scene.credential, 'argyleApi', credentialFor(scene.service));
			scene.mark();
			await scene.publish();
			return await scene.becomesWhole();
		},
	},
	{
		fault: 'a delivery that arrives during create',
		needs: 'nothing',
		async run(scene) {
			const answers: unknown[] = [];
			scene.service.onCreated = async () => {
				const { attempts } = await scene.service.submitForm();
				answers.push(...attempts.map(({ status }) => status));
			};
			scene.mark();
			await scene.publish();
			scene.service.onCreated = async () => {};
			assert.equal(answers.at(-1), 200, `answered ${answers.join(', ')}`);
			await scene.world.client.waitForExecutions(scene.workflow.id, 1);
			return await scene.becomesWhole();
		},
	},
	{
		fault: 'workflow duplicated, both published, the first unpublished',
		needs: 'nothing',
		async run(scene) {
			const { client, n8n } = scene.world;
			await scene.publish();
			const nodes = [argyleTrigger(scene.credential), n8nNode('Done', 'noOp')];
			const copy = await client.createWorkflow('Copy', nodes, inARow(nodes));
			await client.publish(copy);
			const copyUrl = `${n8n.origin}/webhook/${nodes[0]?.webhookId}/webhook`;
			assert.deepEqual([scene.ours().length, scene.ours(copyUrl).length], [1, 1]);
			await scene.unpublish();
			await scene.becomesClear();
			assert.equal(scene.ours(copyUrl).length, 1);
			scene.mark();
			await client.archive(copy.id);
			await until('none is left', 20_000, async () => (scene.ours(copyUrl).length === 0 ? true : undefined));
			return await scene.becomesClear();
		},
	},
	{
		fault: 'workflow archived',
		needs: 'nothing',
		async run(scene) {
			await scene.publish();
			scene.mark();
			await scene.world.client.archive(scene.workflow.id);
			return await scene.becomesClear();
		},
	},
	{
		fault: 'workflow deleted while the service is away for 20 s',
		needs: 'nothing',
		async run(scene) {
			const { client } = scene.world;
			await scene.publish();
			await scene.service.goAway();
			const back = new Promise((resolve) => setTimeout(resolve, 20_000)).then(
				async () => await scene.service.comeBack(),
			);
			scene.mark();
			const gone = client
				.archive(scene.workflow.id)
				.then(async () => await until('it is deleted', 60_000, async () => await deleted(scene)));
			await Promise.all([back, gone]);
			return (await scene.becomesClear()) - 20;
		},
	},
	{
		fault: 'a refusal for good at activation, told in our words',
		needs: 'a publish',
		async run(scene) {
			const refusal = { url: ['Must be public.'] };
			scene.service.addFault({ kind: 'status', status: 400, method: 'POST', body: refusal, times: Infinity });
			await assert.rejects(scene.publish(), /Argyle did not accept the request.*Must be public/s);
			scene.service.clearFaults();
			if (scene.world.path === 'default') await scene.unpublish();
			scene.mark();
			await scene.publish();
			return await scene.becomesWhole();
		},
	},
];

async function deleted(scene: Scene): Promise<true | undefined> {
	return await scene.world.client.deleteWorkflow(scene.workflow.id).then(
		() => true,
		() => undefined,
	);
}
