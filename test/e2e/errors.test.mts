import { argyle, argyleTrigger, inARow, n8nNode, type SavedNode } from '../support/n8n/nodes.mts';
import { until } from '../support/n8n/until.mts';
import { credentialFor } from '../support/fakeArgyle/credential.mts';
import { type FakeArgyle, startFakeArgyle } from '../support/fakeArgyle/index.mts';
import { startE2eFixture, type E2eFixture } from '../support/n8n/stage.mts';
import { PUBLISHING, type Trouble, TROUBLES } from './errorCases.mts';

/** The patience of the nodes, with n8n's own work around it. */
const DEADLINE_MS = 120_000;

const AWAY = {
	shown: 'Argyle could not be reached at ',
	advice: 'The connection was refused. Check that this n8n may connect to that address',
	parameters: { resource: 'webhook', operation: 'getAll', returnAll: true, filters: {}, options: {} },
};

let stage: E2eFixture;
const services: FakeArgyle[] = [];

/** A stand-in of its own for each: what one is told doesn't reach the others, and all can go on at the same time. */
async function credential({ fault, credential: wrong }: Trouble) {
	const service = await startFakeArgyle({ requestsPerSecond: 1_000 });
	services.push(service);
	if (fault !== undefined) service.faults.add(fault);
	return await stage.client.createCredential('Argyle', 'argyleApi', { ...credentialFor(service), ...wrong });
}

async function save(nodes: SavedNode[]) {
	return await stage.client.createWorkflow('Trouble', nodes, inARow(nodes));
}

const started = new Map<Trouble, string | undefined>();
const published = new Map<Trouble, Promise<string>>();

beforeAll(async () => {
	stage = await startE2eFixture();
	for (const trouble of PUBLISHING) {
		const workflow = await save([
			argyleTrigger(await credential(trouble), { ...trouble.parameters }),
			n8nNode('Done', 'noOp'),
		]);
		const words = stage.client.publish(workflow, DEADLINE_MS).then(() => 'published', String);
		published.set(trouble, words);
	}
	for (const trouble of [AWAY, ...TROUBLES]) {
		const argyleNode = argyle(await credential(trouble), { ...trouble.parameters });
		if (trouble === AWAY) await services.pop()?.stop();
		const workflow = await save([n8nNode('Start', 'manualTrigger'), argyleNode]);
		started.set(trouble, await stage.client.run(workflow.id, 'Start'));
	}
}, 240_000);

afterAll(async () => {
	await stage.stop();
	await Promise.all(services.map(async (service) => await service.stop()));
});

describe('n8n shows what happened and what to do', () => {
	it.each([...TROUBLES, AWAY])(
		'$shown',
		async (trouble) => {
			const id = started.get(trouble) ?? '';
			const ended = await until('the execution has ended', DEADLINE_MS, async () => {
				const execution = await stage.client.execution(id);
				return ['new', 'running', 'waiting'].includes(execution.status) ? undefined : execution;
			});
			expect(ended.status).toBe('error');
			expect(ended.error).toContain(trouble.shown);
			expect(ended.advice).toContain(trouble.advice);
		},
		DEADLINE_MS,
	);
});

describe('publishing in vain says why and what to do', () => {
	it.each(PUBLISHING)(
		'$shown',
		async (trouble) => {
			const words = await published.get(trouble);
			expect(words).toContain(trouble.shown);
			expect(words).toContain(trouble.advice);
		},
		DEADLINE_MS,
	);
});
