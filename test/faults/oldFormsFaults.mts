import { randomUUID } from 'node:crypto';
import { credentialFor } from '../support/fakeArgyle/credential.mts';
import { storedExecutions } from '../support/n8n/database.mts';
import { inARow, n8nNode, type SavedNode } from '../support/n8n/nodes.mts';
import { until } from '../support/n8n/until.mts';
import type { FaultCase } from './faultCase.mts';
import type { FaultFixture } from './faultFixture.mts';

const DAY_MS = 86_400_000;

const FORMS = { receiveBy: 'webhook', events: ['user_forms.submitted'], options: {} };

interface Change {
	/** How the trigger is published first. */
	parameters: Record<string, unknown>;
	what: string;
	/** Ends that the forms are asked for. */
	stopAsking?(fixture: FaultFixture): Promise<void>;
	/** Publishes what wants the forms from now on. */
	publishChange(fixture: FaultFixture): Promise<void>;
}

const changeTo =
	(parameters: Record<string, unknown>) =>
	async (fixture: FaultFixture): Promise<void> => {
		await fixture.changeTrigger({ parameters });
		await fixture.publish();
	};

async function saveNodes(fixture: FaultFixture, nodes: SavedNode[]): Promise<void> {
	fixture.workflow = await fixture.client.updateWorkflow(fixture.workflow, nodes, inARow(nodes));
	await fixture.publish();
}

const CHANGES: Change[] = [
	{
		what: 'User Form Submitted is added to the events of a published trigger',
		parameters: { ...FORMS, events: ['accounts.connected'] },
		publishChange: changeTo({ ...FORMS, events: ['accounts.connected', 'user_forms.submitted'] }),
	},
	{
		what: 'a published trigger of other events is changed to Checking for Forms',
		parameters: { ...FORMS, events: ['accounts.connected'] },
		publishChange: changeTo({ receiveBy: 'polling' }),
	},
	{
		what: 'Catch Up is turned on in a published trigger',
		parameters: { ...FORMS, options: { catchUp: false } },
		publishChange: changeTo(FORMS),
	},
	{
		what: 'a trigger is removed, and another of its name is added while the workflow is published',
		parameters: FORMS,
		async stopAsking(fixture) {
			const clock = n8nNode('Each Month', 'scheduleTrigger', { rule: { interval: [{ field: 'months' }] } }, 1.2);
			await saveNodes(fixture, [clock, n8nNode('Done', 'noOp')]);
		},
		async publishChange(fixture) {
			fixture.trigger = { ...fixture.trigger, id: randomUUID(), webhookId: randomUUID() };
			await saveNodes(fixture, [fixture.trigger, n8nNode('Done', 'noOp')]);
		},
	},
	{
		what: 'a publish after an unpublish fails for a refused key, and the next one succeeds',
		parameters: FORMS,
		stopAsking: async (fixture) => await fixture.unpublish(),
		async publishChange(fixture) {
			const { client, credential, argyle } = fixture;
			await client.updateCredential(credential, 'argyleApi', { ...credentialFor(argyle), apiKeySecret: randomUUID() });
			await expect(fixture.publish()).rejects.toThrow('Argyle does not know this API key');
			await client.updateCredential(credential, 'argyleApi', { ...credentialFor(argyle) });
			await fixture.publish();
		},
	},
];

/** Forms that were submitted before anybody asked for them: each of these once ran up to a week of them. */
export const oldFormsFaults: FaultCase[] = CHANGES.map(({ what, parameters, stopAsking, publishChange }) => ({
	fault: `${what}, with three older forms`,
	needed: 'nothing',
	async run(fixture) {
		const { argyle, workflow, n8nFixture } = fixture;
		// The trigger has an execution of its own for the older forms, in which nothing behind it runs.
		const started = () => storedExecutions(n8nFixture.n8n, workflow.id).filter(({ data }) => data.includes('"Done"'));
		argyle.onCreated = async (subscription) =>
			void (subscription.created_at = new Date(Date.now() - 3 * DAY_MS).toISOString());
		await fixture.changeTrigger({ parameters });
		await fixture.publish();
		argyle.onCreated = async () => {};
		await stopAsking?.(fixture);
		for (const days of [2, 1, 0.5]) argyle.storeForm({ createdAt: new Date(Date.now() - days * DAY_MS).toISOString() });
		await fixture.untilLooked(async () => await publishChange(fixture));
		expect(started()).toEqual([]);
		fixture.startTimer();
		const { form } = await argyle.submitForm({ createdAt: new Date(Date.now() + 1_000).toISOString() });
		await until('the next form has started the workflow', 120_000, async () => started()[0]);
		await fixture.expectEachRunsOnce([form.id]);
		expect(started()).toHaveLength(1);
		return fixture.elapsedSeconds();
	},
}));
