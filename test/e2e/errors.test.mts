import type { FullExecution } from '../support/n8n/execution.mts';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { argyleNode, argyleTrigger, type CredentialRef, inARow, n8nNode } from '../support/n8n/nodes.mts';
import { until } from '../support/n8n/until.mts';
import type { ErrorCase } from './errorCase.mts';
import { EXECUTION_ERRORS, PUBLICATION_ERRORS, PUBLICATION_ERRORS_OF_N8N } from './errorCases.mts';

/** Above the minute for which the nodes retry. */
const DEADLINE_MS = 180_000;

const UNREACHABLE: ErrorCase = {
	message: 'Argyle could not be reached at ',
	advice: 'Check that this n8n may connect to that address',
	parameters: { resource: 'webhook', operation: 'getAll', returnAll: true, filters: {}, options: {} },
};

const ALL_PUBLICATION_ERRORS = [...PUBLICATION_ERRORS, ...PUBLICATION_ERRORS_OF_N8N];

let fixture: N8nFixture;

/** Each case has a fake Argyle of its own, so that executions at the same time share neither a fault nor an outage. */
async function connect({ fault, credential: wrongFields, isDeleted }: ErrorCase) {
	const { argyle, credential, credentialData } = await fixture.connectArgyle();
	for (const each of [fault ?? []].flat()) argyle.addFault(each);
	if (wrongFields !== undefined)
		await fixture.client.updateCredential(credential, 'argyleApi', { ...credentialData, ...wrongFields });
	if (isDeleted) await fixture.client.call('DELETE', `/credentials/${credential.id}`);
	return { argyle, credential };
}

async function start({ parameters, input }: ErrorCase, credential: CredentialRef): Promise<string> {
	const jsonOutput = JSON.stringify(input);
	const nodes = [
		n8nNode('Start', 'manualTrigger'),
		...(input === undefined ? [] : [n8nNode('Input', 'set', { mode: 'raw', jsonOutput, options: {} }, 3.4)]),
		argyleNode(credential, { ...parameters }),
	];
	const workflow = await fixture.client.createWorkflow('Execution error', nodes, inARow(nodes));
	return (await fixture.client.run(workflow.id, 'Start')) ?? '';
}

async function publish({ parameters }: ErrorCase, credential: CredentialRef): Promise<string> {
	const nodes = [argyleTrigger(credential, { ...parameters }), n8nNode('Done', 'noOp')];
	const workflow = await fixture.client.createWorkflow('Publication error', nodes, inARow(nodes));
	return await fixture.client.publish(workflow, DEADLINE_MS).then(() => 'published', String);
}

async function ended(executionId: string): Promise<FullExecution> {
	return await until('the execution has ended', DEADLINE_MS, async () => {
		const execution = await fixture.client.execution(executionId);
		return ['new', 'running', 'waiting'].includes(execution.status) ? undefined : execution;
	});
}

/** All cases are started together, as some of them retry for a minute. */
const executionIds = new Map<ErrorCase, string>();
const publications = new Map<ErrorCase, Promise<string>>();

beforeAll(async () => {
	fixture = await startN8nFixture();
	for (const errorCase of ALL_PUBLICATION_ERRORS) {
		const { credential } = await connect(errorCase);
		publications.set(errorCase, publish(errorCase, credential));
	}
	for (const errorCase of [UNREACHABLE, ...EXECUTION_ERRORS]) {
		const { argyle, credential } = await connect(errorCase);
		if (errorCase === UNREACHABLE) await argyle.stop();
		executionIds.set(errorCase, await start(errorCase, credential));
	}
});

afterAll(async () => await fixture.stop());

it.each([...EXECUTION_ERRORS, UNREACHABLE])(
	'shows "$message" and what to do about it when the node is executed',
	async (errorCase) => {
		const { status, error, description } = await ended(executionIds.get(errorCase) ?? '');
		expect(status).toBe('error');
		expect(error).toContain(errorCase.message);
		expect(description).toContain(errorCase.advice);
	},
	DEADLINE_MS,
);

it.each(ALL_PUBLICATION_ERRORS)(
	'shows "$message" and what to do about it when the workflow is published',
	async (errorCase) => {
		const error = await publications.get(errorCase);
		expect(error).toContain(errorCase.message);
		expect(error).toContain(errorCase.advice);
	},
	DEADLINE_MS,
);
