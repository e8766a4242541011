import { FAMILIES, type Family } from '../../../nodes/Argyle/api/families';
import { isSensitive } from '../../../nodes/Argyle/api/sensitiveFields';
import { FAMILIES as SERVED, type Family as Served, isFamily, recordOf } from '../../support/fakeArgyle/families.mts';

const families = Object.entries<Family>(FAMILIES).map(([resource, family]) => ({ resource, ...family }));
const ofAccounts = families.flatMap((family) => {
	const name = family.path.replace('/v2/', '');
	return isFamily(name) ? [{ ...family, name }] : [];
});

it.each(families)(
	'Simplify leaves at most ten fields of a record of $many, none of them sensitive',
	({ simplified = [] }) => {
		expect(simplified.length).toBeLessThanOrEqual(10);
		expect(new Set(simplified).size).toBe(simplified.length);
		expect(simplified.filter(isSensitive)).toEqual([]);
	},
);

/** In Argyle's OpenAPI file, but not in the made-up records. */
const NOT_MADE_UP = ['acss_debit', 'card'];

it.each(ofAccounts)('Simplify leaves of $many fields that a record has', ({ name, simplified = [] }) => {
	const record = recordOf(name, { user: 'u', account: 'a' }, 0, 'i');
	expect(simplified.filter((field) => !NOT_MADE_UP.includes(field) && !(field in record))).toEqual([]);
});

it.each(ofAccounts)('the filters of $many are those that Argyle has', ({ name, filters, isListOnly = false }) => {
	const served: Served = SERVED[name];
	const queries = filters.map(({ query }) => query);
	expect(queries.sort()).toEqual([...served.filters, ...(served.range ?? [])].sort());
	expect(isListOnly).toBe(served.isListOnly ?? false);
	for (const filter of filters) if ('field' in filter) expect(filter.field).toBe(served.date);
});

it('test/support/fakeArgyle/families.mts has each family of nodes/Argyle/api/families.ts, and no other', () => {
	const paths = [...Object.keys(SERVED), 'users', 'user-forms'].map((name) => `/v2/${name}`);
	expect(paths.sort()).toEqual(families.map(({ path }) => path).sort());
});
