import { RECORD_TYPES, type RecordType } from '../../../nodes/Argyle/api/recordTypes';
import { isSensitive } from '../../../nodes/Argyle/api/sensitiveFields';
import {
	RECORD_TYPES as SERVED,
	type RecordType as Served,
	isRecordType,
	recordOf,
} from '../../support/fakeArgyle/recordTypes.mts';

const recordTypes = Object.entries<RecordType>(RECORD_TYPES).map(([resource, recordType]) => ({
	resource,
	...recordType,
}));
const ofAccounts = recordTypes.flatMap((recordType) => {
	const name = recordType.path.replace('/v2/', '');
	return isRecordType(name) ? [{ ...recordType, name }] : [];
});

it.each(recordTypes)(
	'Simplify leaves at most ten fields of a record of $many, none of them sensitive',
	({ simplified = [] }) => {
		expect(simplified.length).toBeLessThanOrEqual(10);
		expect(new Set(simplified).size).toBe(simplified.length);
		expect(simplified.filter(isSensitive)).toEqual([]);
	},
);

it.each(ofAccounts)('Simplify is there for $many if a record has more than ten fields', ({ name, simplified }) => {
	const fields = Object.keys(recordOf(name, { user: 'u', account: 'a' }, 0, 'i'));
	expect(simplified !== undefined || fields.length <= 10).toBe(true);
});

/** In Argyle's OpenAPI file, but not in the made-up records. */
const NOT_MADE_UP = ['acss_debit', 'card'];

it.each(ofAccounts)('Simplify leaves of $many fields that a record has', ({ name, simplified = [] }) => {
	const record = recordOf(name, { user: 'u', account: 'a' }, 0, 'i');
	expect(simplified.filter((field) => !NOT_MADE_UP.includes(field) && !(field in record))).toEqual([]);
});

it.each(ofAccounts)('the filters of $many are those that Argyle has', ({ name, filters, isListOnly = false }) => {
	const served: Served = SERVED[name];
	const asked = filters.filter(({ query }) => query !== '');
	const queries = asked.map(({ query }) => query);
	expect(queries.sort()).toEqual([...served.filters, ...(served.range ?? [])].sort());
	expect(isListOnly).toBe(served.isListOnly ?? false);
	for (const filter of asked) if ('field' in filter) expect(filter.field).toBe(served.date);
	const record = recordOf(name, { user: 'u', account: 'a' }, 0, 'i');
	for (const filter of filters) if ('field' in filter) expect(record).toHaveProperty(filter.field);
});

it('test/support/fakeArgyle/recordTypes.mts has each record type of nodes/Argyle/api/recordTypes.ts, and no other', () => {
	const paths = [...Object.keys(SERVED), 'users', 'user-forms'].map((name) => `/v2/${name}`);
	expect(paths.sort()).toEqual(recordTypes.map(({ path }) => path).sort());
});
