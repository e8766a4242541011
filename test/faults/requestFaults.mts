import type { Fault } from '../support/fakeArgyle/index.mts';
import type { Row } from './faultCase.mts';
import type { Scene } from './fixture.mts';

const FAULTS: Array<[string, Fault]> = [
	['500', { kind: 'status', status: 500 }],
	['429 three times', { kind: 'status', status: 429, headers: { 'Retry-After': '1' }, times: 3 }],
	['no answer at all', { kind: 'hang' }],
	['connection cut', { kind: 'drop' }],
	['HTML page', { kind: 'html' }],
];

const STEPS = { check: 'GET', create: 'POST', delete: 'DELETE' } as const;

async function atRegistering(scene: Scene, fault: Fault): Promise<number> {
	scene.service.addFault({ ...fault, path: /^\/v2\/webhooks/ });
	scene.mark();
	await scene.publish();
	return await scene.becomesWhole();
}

async function atRemoving(scene: Scene, fault: Fault): Promise<number> {
	await scene.publish();
	scene.service.addFault({ ...fault, path: /^\/v2\/webhooks/ });
	scene.mark();
	await scene.unpublish();
	return await scene.becomesClear();
}

/** Each fault of an answer, at each step. */
export const stepRows: Row[] = Object.entries(STEPS).flatMap(([step, method]) =>
	FAULTS.map(([name, fault]) => ({
		fault: `${name}, at ${step}`,
		needs: 'nothing' as const,
		run: async (scene: Scene) => await (step === 'delete' ? atRemoving : atRegistering)(scene, { ...fault, method }),
	})),
);

/** Answers that are lost although the work was done, and a service that is away. */
export const awayRows: Row[] = [
	{
		fault: 'created, answer lost',
		needs: 'nothing',
		run: async (scene) => await atRegistering(scene, { kind: 'lost', method: 'POST' }),
	},
	{
		fault: 'created, answer never comes',
		needs: 'nothing',
		run: async (scene) => await atRegistering(scene, { kind: 'silent', method: 'POST' }),
	},
	{
		fault: 'deleted, answer lost',
		needs: 'nothing',
		run: async (scene) => await atRemoving(scene, { kind: 'lost', method: 'DELETE' }),
	},
	{
		fault: 'service away for a minute at activation',
		needs: 'nothing',
		async run(scene) {
			await scene.service.goAway();
			const back = new Promise((resolve) => setTimeout(resolve, 60_000)).then(
				async () => await scene.service.comeBack(),
			);
			scene.mark();
			await Promise.all([back, scene.publish()]);
			return (await scene.becomesWhole()) - 60;
		},
	},
	{
		fault: 'service away for a minute at deactivation',
		needs: 'nothing',
		async run(scene) {
			await scene.publish();
			await scene.service.goAway();
			const back = new Promise((resolve) => setTimeout(resolve, 60_000)).then(
				async () => await scene.service.comeBack(),
			);
			scene.mark();
			await Promise.all([back, scene.unpublish()]);
			return (await scene.becomesClear()) - 60;
		},
	},
];
