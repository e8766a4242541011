import { CONNECTION_LOST, EVENT_TYPES } from '../../../nodes/Argyle/api/events';
import { EVENT_SOURCES } from '../../../nodes/Argyle/api/eventSources';
import { textOfFile } from '../../support/paths.mts';

it('docs/events.md says how each event is found again that is, and of no other', () => {
	const [, section = ''] = textOfFile('docs/events.md').split('\n## How an event is found again\n');
	const rows = [...section.matchAll(/^\| ([^|]+), `([^`]+)` \|/gm)].map(([, title, name]) => `${title} ${name}`);
	const found = [...EVENT_TYPES, CONNECTION_LOST].filter(({ name }) =>
		EVENT_SOURCES.some(({ event }) => event === name),
	);
	expect(rows.sort()).toEqual(found.map(({ title, name }) => `${title} ${name}`).sort());
});
