import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RECORD_TYPES, type RecordType, titleCase } from '../../../nodes/Argyle/api/recordTypes';
import { root } from '../../support/paths.mts';

const page = readFileSync(join(root, 'docs', 'records.md'), 'utf8');
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
