import { randomUUID } from 'node:crypto';
import { CONNECTION_LOST, EVENT_TYPES } from '../../nodes/Argyle/api/events';
import { EVENT_NAMES } from '../support/fakeArgyle/eventNames.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { useNodeFixture } from '../support/n8nCore/nodeFixture.mts';
import { textOfFile } from '../support/paths.mts';
import { eventCase } from '../support/eventCases.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });
const PARAMETERS = { resource: 'event', operation: 'getRecords', returnAll: true, options: {} };
const rows = textOfFile('docs/events.md')
	.split('\n')
	.filter((line) => /^\| [^|`]+, `[^|]+` \| [^|]+ \| \d+ \|$/.test(line));

const sortedIds = (records: Array<{ id?: unknown }>) => records.map(({ id }) => String(id)).sort();

/** As n8n lists them for the trigger. */
const LISTED = EVENT_TYPES.flatMap((type) => (type.name === 'accounts.failed' ? [type, CONNECTION_LOST] : [type]));

it.each([...EVENT_NAMES, CONNECTION_LOST.name])(
	'the event %s leads to its records, or to words that say why there are none',
	async (event) => {
		const { data, records, says, brings } = eventCase(node.service, event, {
			user: randomUUID(),
			account: randomUUID(),
		});
		const run = node.run(PARAMETERS, { items: [{ json: { event, name: 'Events', data } }] });
		if (says === undefined) {
			expect(records).not.toEqual([]);
			expect(sortedIds((await run).map(({ json }) => json))).toEqual(sortedIds(records));
		} else {
			const { message, description } = await failure(run);
			expect(message).toBe(`There is no record of the event ${event} [item 0]`);
			expect(description).toContain(says);
			expect(description).toContain('Nothing was sent to Argyle.');
		}
		const { requests } = node.service;
		expect(requests.filter(({ status }) => status !== 200)).toEqual([]);
		const title = LISTED.find(({ name }) => name === event)?.title;
		expect(rows).toContain(`| ${title}, \`${event}\` | ${brings} | ${requests.length} |`);
	},
);

it('docs/events.md has a row for each event, in the order in which n8n lists them', () => {
	expect(rows.map((row) => /`(.+?)`/.exec(row)?.[1])).toEqual(LISTED.map(({ name }) => name));
});
