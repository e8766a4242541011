import assert from 'node:assert/strict';
import { until } from '../support/n8n/until.mts';
import type { FaultCase } from './faultCase.mts';

/** What happens to n8n itself. */
export const processRows: FaultCase[] = [
	{
		fault: 'n8n killed right after create',
		needed: 'nothing',
		neededWithLegacyActivation: 'a publish',
		isAlone: true,
		async run(scene) {
			scene.service.addFault({ kind: 'hangAfterCommit', method: 'POST' });
			const publishing = scene.publish().catch(() => undefined);
			await until('it is created', 30_000, async () => scene.ownSubscriptions()[0]);
			await scene.world.n8n.kill();
			await publishing;
			scene.startTimer();
			await scene.world.restart({ kill: true });
			if (scene.world.activation === 'legacy') await scene.publish();
			return await scene.expectHealed();
		},
	},
	{
		fault: 'n8n restarted ten times, every other time by a kill',
		needed: 'nothing',
		isAlone: true,
		async run(scene) {
			await scene.publish();
			const before = scene.ownSubscriptions();
			for (let round = 0; round < 10; round++) {
				await scene.world.restart({ kill: round % 2 === 1 });
				assert.deepEqual(
					scene.ownSubscriptions().map(({ id }) => id),
					before.map(({ id }) => id),
				);
			}
			scene.startTimer();
			return await scene.expectHealed();
		},
	},
	{
		fault: 'n8n stopped while it listens for a test event',
		needed: 'the next test',
		isAlone: true,
		async run(scene) {
			const { client } = scene.world;
			const listen = async () => {
				await client.run(scene.workflow.id, scene.trigger.name);
				return await until('it listens', 20_000, async () => scene.ownSubscriptions(scene.testUrl)[0]);
			};
			await listen();
			await scene.world.restart({ kill: true });
			assert.equal(scene.ownSubscriptions(scene.testUrl).length, 1, 'the orphan is there');
			scene.startTimer();
			await listen();
			assert.equal(scene.ownSubscriptions(scene.testUrl).length, 1, 'no twin');
			await client.stopListening(scene.workflow.id);
			return await scene.expectRemoved();
		},
	},
	{
		fault: 'WEBHOOK_URL changed between starts',
		needed: 'a publish',
		neededWithLegacyActivation: 'a start of n8n',
		isAlone: true,
		async run(scene) {
			await scene.publish();
			const old = scene.url;
			await scene.world.restart({ env: { WEBHOOK_URL: scene.world.n8n.origin.replace('127.0.0.1', 'localhost') } });
			scene.startTimer();
			if (scene.world.activation === 'publication') {
				await scene.unpublish();
				await scene.publish();
			}
			const current = old.replace('127.0.0.1', 'localhost');
			await until('only the new address is registered', 30_000, async () =>
				scene.ownSubscriptions(old).length === 0 && scene.ownSubscriptions(current).length === 1 ? true : undefined,
			);
			const { attempts } = await scene.service.submitForm();
			assert.deepEqual(
				attempts.map(({ url, status }) => [url, status]),
				[[current, 200]],
			);
			await scene.world.restart({ env: { WEBHOOK_URL: scene.world.n8n.origin } });
			await scene.unpublish();
			await scene.publish();
			return await scene.expectHealed();
		},
	},
];
