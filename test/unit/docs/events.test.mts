import { CONNECTION_LOST, EVENT_TYPES } from '../../../nodes/Argyle/api/events';
import { EVENT_SOURCES, type EventSource, isScanned, needsRecordForKey } from '../../../nodes/Argyle/api/eventSources';
import { textOfFile } from '../../support/paths.mts';

const [, section = ''] = textOfFile('docs/events.md').split('\n## How an event is found again\n');
const rows = section.match(/^\| .+, `.+$/gm) ?? [];
const titles = new Map([...EVENT_TYPES, CONNECTION_LOST].map(({ name, title }) => [name, title]));

function lookOf(source: EventSource): string {
	if (source.change === undefined) return '1, and 1 for each 200 that were missed';
	return isScanned(source) ? '1, and scans' : '1 for each 200, back to the oldest that is not finished';
}

it.each(EVENT_SOURCES)('docs/events.md says how $event is found again, and what that costs', (source) => {
	const { event } = source;
	const row = rows.find((each) => each.includes(` \`${event}\` `));
	const [, , meaning = ' … '] = row?.split('|') ?? [];
	const delivery = needsRecordForKey({ event }) ? 1 : 0;
	expect(row).toBe(`| ${titles.get(event)}, \`${event}\` |${meaning}| ${lookOf(source)} | ${delivery} |`);
});

it('docs/events.md says of no other event that it is found again', () => {
	expect(rows).toHaveLength(EVENT_SOURCES.length);
});
