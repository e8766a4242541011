import { RECORD_TYPES, type RecordType, titleCase } from '../../../nodes/Argyle/api/recordTypes';
import { textOfFile } from '../../support/paths.mts';

const page = textOfFile('docs/records.md');
const rows = new Map(
	[...page.matchAll(/^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(([, name = '', ...cells]) => [name, cells]),
);

it.each(Object.values<RecordType>(RECORD_TYPES))(
	'docs/records.md has the filters of $one',
	({ one, filters, isListOnly = false }) => {
		const [about = '', named = ''] = rows.get(titleCase(one)) ?? [];
		const names = named.replace(', which has to match exactly', '').split(', ');
		expect(names).toEqual(filters.map(({ displayName }) => displayName).sort());
		expect(about.includes('Only Get Many')).toBe(isListOnly);
	},
);
