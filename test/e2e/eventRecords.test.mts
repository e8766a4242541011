import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT_TYPES } from '../../nodes/Argyle/api/events';
import { EVENT_NAMES } from '../support/fakeArgyle/eventNames.mts';
import type { LoggedRequest } from '../support/fakeArgyle/index.mts';
import type { FullExecution } from '../support/n8n/execution.mts';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { argyleNode, argyleTrigger, inARow } from '../support/n8n/nodes.mts';
import { root } from '../support/paths.mts';
import { type EventCase, eventCases } from './eventCases.mts';

const NAMES = [...EVENT_NAMES].sort();
const ID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|item_\d+/g;

/** What came of an event in n8n. */
interface Outcome extends FullExecution {
	ids: string[];
	requests: LoggedRequest[];
}

let fixture: N8nFixture;
let cases: Map<string, EventCase>;
/** Without those for the subscription. */
let requests: LoggedRequest[];
const outcomes = new Map<string, Outcome>();

const sortedIds = (records: Array<{ id?: unknown }>) => records.map(({ id }) => String(id)).sort();

/** Each event names its own user, account and records. */
function speaksOf({ data }: EventCase, { path, query }: LoggedRequest): boolean {
	const text = JSON.stringify(data);
	return (`${path}${query}`.match(ID) ?? []).some((id) => text.includes(id));
}

function of(event: string): { made: EventCase; outcome: Outcome } {
	const [made, outcome] = [cases.get(event), outcomes.get(event)];
	if (made === undefined || outcome === undefined) throw new Error(`No execution of the workflow got ${event}`);
	return { made, outcome };
}

beforeAll(async () => {
	fixture = await startN8nFixture();
	const { client } = fixture;
	const { argyle, credential } = await fixture.connectArgyle();
	cases = eventCases(argyle);
	const items = [...argyle.items.keys()];
	const nodes = [
		argyleTrigger(credential, { events: NAMES, items, includeUserForm: false, options: { catchUp: false } }),
		argyleNode(credential, { resource: 'event', operation: 'getRecords', returnAll: true, options: {} }),
	];
	const workflow = await client.createWorkflow('Event to records', nodes, inARow(nodes));
	await client.publish(workflow);
	for (const event of NAMES) await argyle.deliver(event, cases.get(event)?.data ?? {});
	expect(argyle.deliveries.map(({ event, status }) => [event, status])).toEqual(NAMES.map((event) => [event, 200]));
	const executions = await client.waitForExecutions(workflow.id, NAMES.length);
	requests = argyle.requests.filter(({ path }) => !path.startsWith('/v2/webhooks'));
	for (const { id } of executions) {
		const execution = await client.execution(id);
		const event = String(execution.output['Argyle Trigger']?.[0]?.json.event);
		const made = cases.get(event);
		outcomes.set(event, {
			...execution,
			ids: sortedIds((execution.output.Argyle ?? []).map(({ json }) => json)),
			requests: requests.filter((request) => made && speaksOf(made, request)),
		});
	}
}, 300_000);
afterAll(async () => await fixture.stop());

it.each(NAMES)('the event %s leads to its records in n8n, or to words that say why there are none', (event) => {
	const { made, outcome } = of(event);
	expect(outcome.ids).toEqual(sortedIds(made.records));
	expect(outcome.status).toBe(made.says === undefined ? 'success' : 'error');
	if (made.says === undefined) return expect(outcome.ids).not.toEqual([]);
	expect(outcome.error).toBe(`There is no record of the event ${event} [item 0]`);
	expect(outcome.description).toContain(made.says);
	expect(outcome.description).toContain('Nothing was sent to Argyle.');
});

it('the record of user_forms.submitted says whose form it is, which only the event does', () => {
	const { made, outcome } = of('user_forms.submitted');
	expect(outcome.output.Argyle?.[0]?.json.user).toBe(made.data.user);
});

it('every request to Argyle was for one of the events', () => {
	const asked = NAMES.flatMap((event) => of(event).outcome.requests);
	expect(asked).toHaveLength(requests.length);
	expect(requests.filter(({ status }) => status !== 200)).toEqual([]);
});

it('docs/events.md tells which records each event leads to, and how many requests that takes', () => {
	const rows = EVENT_TYPES.map(({ name, title }) => {
		const { made, outcome } = of(name);
		const isRight = outcome.ids.join() === sortedIds(made.records).join();
		const brings = isRight ? made.brings : `${outcome.ids.length} other records`;
		return `| ${title}, \`${name}\` | ${brings} | ${outcome.requests.length} |`;
	});
	process.stdout.write(`${rows.join('\n')}\n`);
	const page = readFileSync(join(root, 'docs', 'events.md'), 'utf8');
	expect(page.split('\n').filter((line) => /^\|.*`/.test(line))).toEqual(rows);
});
