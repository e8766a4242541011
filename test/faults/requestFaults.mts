import type { Fault } from '../support/fakeArgyle/index.mts';
import type { FaultCase } from './faultCase.mts';
import type { FaultFixture } from './fixture.mts';

const FAULTS: Array<[string, Fault]> = [
	['500', { kind: 'status', status: 500 }],
	['429 three times', { kind: 'status', status: 429, headers: { 'Retry-After': '1' }, times: 3 }],
	['no answer at all', { kind: 'hang' }],
	['connection cut', { kind: 'drop' }],
	['HTML page', { kind: 'html' }],
];

const STEPS = { check: 'GET', create: 'POST', delete: 'DELETE' } as const;

async function atRegistering(scene: FaultFixture, fault: Fault): Promise<number> {
	scene.service.addFault({ ...fault, path: /^\/v2\/webhooks/ });
	scene.startTimer();
	await scene.publish();
	return await scene.expectHealed();
}

async function atRemoving(scene: FaultFixture, fault: Fault): Promise<number> {
	await scene.publish();
	scene.service.addFault({ ...fault, path: /^\/v2\/webhooks/ });
	scene.startTimer();
	await scene.unpublish();
	return await scene.expectRemoved();
}

/** Each fault of an answer, at each step. */
export const stepRows: FaultCase[] = Object.entries(STEPS).flatMap(([step, method]) =>
	FAULTS.map(([name, fault]) => ({
		fault: `${name}, at ${step}`,
		needed: 'nothing' as const,
		run: async (scene: FaultFixture) =>
			await (step === 'delete' ? atRemoving : atRegistering)(scene, { ...fault, method }),
	})),
);

/** Answers that are lost although the work was done, and a service that is away. */
export const awayRows: FaultCase[] = [
	{
		fault: 'created, answer lost',
		needed: 'nothing',
		run: async (scene) => await atRegistering(scene, { kind: 'dropAfterCommit', method: 'POST' }),
	},
	{
		fault: 'created, answer never comes',
		needed: 'nothing',
		run: async (scene) => await atRegistering(scene, { kind: 'hangAfterCommit', method: 'POST' }),
	},
	{
		fault: 'deleted, answer lost',
		needed: 'nothing',
		run: async (scene) => await atRemoving(scene, { kind: 'dropAfterCommit', method: 'DELETE' }),
	},
	{
		fault: 'service away for a minute at activation',
		needed: 'nothing',
		async run(scene) {
			await scene.service.goOffline();
			const back = new Promise((resolve) => setTimeout(resolve, 60_000)).then(
				async () => await scene.service.goOnline(),
			);
			scene.startTimer();
			await Promise.all([back, scene.publish()]);
			return (await scene.expectHealed()) - 60;
		},
	},
	{
		fault: 'service away for a minute at deactivation',
		needed: 'nothing',
		async run(scene) {
			await scene.publish();
			await scene.service.goOffline();
			const back = new Promise((resolve) => setTimeout(resolve, 60_000)).then(
				async () => await scene.service.goOnline(),
			);
			scene.startTimer();
			await Promise.all([back, scene.unpublish()]);
			return (await scene.expectRemoved()) - 60;
		},
	},
];
