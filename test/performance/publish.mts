import { setTimeout as wait } from 'node:timers/promises';
import { type ActivationMode, type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { inARow, n8nNode } from '../support/n8n/nodes.mts';
import { SANDBOX_WHEN_NEEDED } from '../support/n8n/process.mts';
import { query, settingsFor, startPostgres } from '../support/n8n/queueServers.mts';
import type { Server } from '../support/n8n/server.mts';
import { until } from '../support/n8n/until.mts';
import { publishWorkflow, type TriggerContender } from './contender.mts';
import { sendEventsDuring } from './eventSource.mts';
import { startFakeGitHub } from './fakeGitHub.mts';
import { section } from './markdown.mts';
import { countOutcomes, PREVENTABLE } from './outcomes.mts';
import { argyleContender, gitHubContender } from './triggerContenders.mts';

/** At 20, n8n on two cores is fully busy and does not come back from its restart. */
const EVENTS_PER_SECOND = 8;
const PUBLISHES = 10;
const LATENCY_MS = 100;
const PAUSE_MS = 2_500;

/** The Argyle Trigger starts the workflow for missed forms within a minute of n8n's start. */
const CATCH_UP_MS = 75_000;

const UNFINISHED = "SELECT 1 FROM execution_entity WHERE status IN ('new', 'running', 'waiting')";
/** Of the executions that went on behind the trigger. */
const DATA = `SELECT d.data FROM execution_data d JOIN execution_entity e ON e.id = d."executionId"
	WHERE d.data LIKE '%"Done"%'`;

/** Sends events while the trigger is published with other events again and again, and n8n restarts. */
async function outcomesOf(
	fixture: N8nFixture,
	postgres: Server,
	contender: TriggerContender,
	eventChoices: string[][],
): Promise<Map<string, number>> {
	const { client } = fixture;
	const done = n8nNode('Done', 'noOp');
	let workflow = await publishWorkflow(client, contender.name, [...contender.nodes, done]);
	const events = await sendEventsDuring(contender, EVENTS_PER_SECOND, async () => {
		await wait(PAUSE_MS);
		for (let round = 0; round < PUBLISHES; round++) {
			const changed = { events: eventChoices[round % eventChoices.length] };
			const triggers = contender.nodes.map((node) => ({ ...node, parameters: { ...node.parameters, ...changed } }));
			const nodes = [...triggers, done];
			workflow = await client.updateWorkflow(workflow, nodes, inARow(nodes));
			await client.publish(workflow);
			await wait(PAUSE_MS);
		}
		await fixture.restart();
		await wait(PAUSE_MS);
	});
	await wait(CATCH_UP_MS);
	await until('all executions have ended', 120_000, async () =>
		query(postgres, `${UNFINISHED} AND "workflowId" = '${workflow.id}' LIMIT 1`).length === 0 ? true : undefined,
	);
	await client.unpublish(workflow.id);
	return countOutcomes(events, query(postgres, `${DATA} AND e."workflowId" = '${workflow.id}'`));
}

async function compareTriggers(activation: ActivationMode): Promise<Array<Map<string, number>>> {
	// With its defaults n8n itself fails under this load: with SQLite, unlimited executions, and a sandbox for each call.
	const postgres = await startPostgres();
	const env = { ...settingsFor(postgres), N8N_CONCURRENCY_PRODUCTION_LIMIT: '10', ...SANDBOX_WHEN_NEEDED };
	const fixture = await startN8nFixture({ activation, env });
	const github = await startFakeGitHub(LATENCY_MS);
	const argyle = argyleContender(await fixture.connectArgyle({ latencyMs: LATENCY_MS }));
	const outcomes = [
		await outcomesOf(fixture, postgres, argyle, [
			['user_forms.submitted', 'user_forms.removed'],
			['user_forms.submitted'],
		]),
		await outcomesOf(fixture, postgres, await gitHubContender(fixture.client, github), [['push', 'fork'], ['push']]),
	];
	await github.stop();
	await fixture.stop();
	await postgres.stop();
	return outcomes;
}

/** What becomes of events while their trigger is changed and n8n restarts. */
export async function* publish(): AsyncGenerator<string> {
	const columns = [...(await compareTriggers('publication')), ...(await compareTriggers('legacy'))];
	const rows = [...(columns[0]?.keys() ?? [])].map((name) => [
		name,
		...columns.map((counts) => counts.get(name) ?? NaN),
	]);
	const [argyle, , legacyArgyle] = columns;
	if (PREVENTABLE.some((name) => argyle?.get(name) !== 0 || legacyArgyle?.get(name) !== 0)) process.exitCode = 1;
	yield section(
		'Deliveries while the trigger is changed',
		['', 'Argyle Trigger', 'GitHub Trigger', 'Argyle, legacy activation', 'GitHub, legacy activation'],
		rows,
		`${EVENTS_PER_SECOND} events a second, ${PUBLISHES} publishes, one restart; the API answers after ${LATENCY_MS} ms.`,
	);
}
