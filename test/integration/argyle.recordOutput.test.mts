import { RECORD_TYPES, type RecordType } from '../../nodes/Argyle/api/recordTypes';
import { SENSITIVE } from '../support/fakeArgyle/recordTypes.mts';
import { byId, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

const recordTypes = Object.entries<RecordType>(RECORD_TYPES).map(([resource, recordType]) => ({
	resource,
	...recordType,
}));

const getAll = async (resource: string, parameters: object = {}) =>
	(await node.run({ resource, operation: 'getAll', returnAll: true, filters: {}, ...parameters })).map(
		({ json }) => json,
	);

describe('Include Sensitive Data', () => {
	it.each(recordTypes)('off, $resource puts out no sensitive value, simplified or not', async ({ resource }) => {
		for (const simplify of [true, false]) {
			const records = await getAll(resource, { simplify });
			expect(records).not.toHaveLength(0);
			expect(JSON.stringify(records)).not.toMatch(SENSITIVE);
		}
	});

	it.each(recordTypes)('on, and without Simplify, $resource puts out what else is masked', async ({ resource }) => {
		const [masked, shown] = [{}, { includeSensitive: true }].map(async (options) =>
			JSON.stringify(await getAll(resource, { simplify: false, options })),
		);
		expect(await shown).not.toContain('•');
		expect(SENSITIVE.test(await shown)).toBe((await masked).includes('•'));
	});

	it('masks the one record of Get, too', async () => {
		const [user] = [...node.service.users.values()].filter(({ ssn }) => typeof ssn === 'string');
		const parameters = { resource: 'user', operation: 'get', userId: byId(String(user?.id)), simplify: false };
		expect((await node.run(parameters))[0]?.json).toEqual({ ...user, ssn: '•••', birth_date: '•••' });
	});

	it('is on only when an expression says so', async () => {
		const hasSensitive = async (includeSensitive: string) =>
			SENSITIVE.test(JSON.stringify(await getAll('identity', { options: { includeSensitive } })));
		expect(await hasSensitive('={{ "true" }}')).toBe(true);
		expect(await hasSensitive('={{ "false" }}')).toBe(false);
	});
});

const simplifiable = recordTypes.flatMap(({ resource, path, simplified }) =>
	simplified === undefined ? [] : [{ resource, path, simplified }],
);

describe('Simplify', () => {
	it.each(simplifiable)(
		'on, as by default, $resource puts out its useful fields only',
		async ({ resource, simplified }) => {
			const records = await getAll(resource);
			const fields = new Set(records.flatMap((record) => Object.keys(record)));
			expect([...fields].filter((field) => !simplified.includes(field))).toEqual([]);
			expect(fields).toContain('id');
			expect(fields.size).toBeGreaterThan(5);
		},
	);

	it.each(simplifiable)('off, $resource puts out a field that a later Argyle adds', async ({ resource, path }) => {
		node.service.addFault({
			kind: 'status',
			status: 200,
			path,
			body: { results: [{ id: 'i', added_later: 1 }] },
			times: 2,
		});
		expect(await getAll(resource, { simplify: false })).toEqual([{ id: 'i', added_later: 1 }]);
		expect(await getAll(resource)).toEqual([{ id: 'i' }]);
	});

	it('keeps what Include Sensitive Data asks for', async () => {
		const [identity] = await getAll('identity', { options: { includeSensitive: true } });
		expect(identity).toMatchObject({ ssn: '522-09-1192', birth_date: '1980-10-30', full_name: 'Sarah Longfield' });
		expect(identity).not.toHaveProperty('address');
	});
});
