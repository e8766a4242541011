import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RECORD_TYPES, type RecordType } from '../../nodes/Argyle/api/recordTypes';
import { isSensitive } from '../../nodes/Argyle/api/sensitiveFields';
import { RECORDED, type Recorded } from '../../scripts/contract/record.mts';
import { isJson, type Json } from '../support/json.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { byId, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

const recordTypes = Object.entries<RecordType>(RECORD_TYPES);

/** By the folder of the service that answered, and its file. */
const cases = readdirSync(RECORDED).flatMap((service) =>
	readdirSync(join(RECORDED, service)).map((file) => {
		const recorded: Recorded = JSON.parse(readFileSync(join(RECORDED, service, file), 'utf8'));
		return { title: `${service}/${file}`, ...recorded };
	}),
);

const lists = cases.flatMap((each) => {
	const [resource] = recordTypes.find(([, { path }]) => each.request === `GET ${path}`) ?? [];
	return resource === undefined || each.status !== 200 ? [] : [{ ...each, resource }];
});

const recordsIn = (body: unknown): Json[] => {
	const results = isJson(body) ? body.results : body;
	return Array.isArray(results) ? results.filter(isJson) : [];
};

/** The kind of each field, by its path: `loan.number: string`. What is null or empty tells no kind. */
function kinds(value: unknown, path = ''): Map<string, string> {
	if (Array.isArray(value)) return new Map(value.flatMap((each) => [...kinds(each, `${path}[]`)]));
	if (isJson(value))
		return new Map(
			Object.entries(value).flatMap(([field, each]) => [...kinds(each, path === '' ? field : `${path}.${field}`)]),
		);
	return value === null || value === undefined ? new Map() : new Map([[path, typeof value]]);
}

/** What is in fields that have to be masked. */
function sensitiveIn(value: unknown): unknown[] {
	if (Array.isArray(value)) return value.flatMap(sensitiveIn);
	if (!isJson(value)) return [];
	return Object.entries(value).flatMap(([field, each]) => {
		if (!isSensitive(field)) return sensitiveIn(each);
		return each === null || each === '' ? [] : [each];
	});
}

const answer = (body: unknown, status = 200) =>
	node.service.addFault({ kind: 'status', status, body, times: Infinity });

const getAll = async (resource: string, options: object) =>
	await node.run({ resource, operation: 'getAll', returnAll: true, filters: {}, simplify: false, options });

it('answers were recorded of every recordType', () => {
	expect(new Set(lists.map(({ resource }) => resource))).toEqual(new Set(recordTypes.map(([resource]) => resource)));
});

it.each(lists)('Get Many puts out every record and field of $title', async ({ resource, body }) => {
	answer(body);
	const items = await getAll(resource, { includeSensitive: true });
	const records = recordsIn(body).map(({ user_token: _, ...record }) => record);
	expect(items.map(({ json }) => json)).toMatchObject(records);
});

it.each(lists)('nothing sensitive of $title comes out unasked', async ({ resource, body }) => {
	answer(body);
	const items = await getAll(resource, {});
	expect(items.flatMap(({ json }) => sensitiveIn(json)).filter((value) => !/^•••\d{0,4}$/.test(String(value)))).toEqual(
		[],
	);
});

it.each(lists)('the fake Argyle gives the fields of $title the same kinds', async ({ resource, request, body }) => {
	const { id, secret } = node.service.key;
	const response = await fetch(`${node.service.origin}${request.replace('GET ', '')}`, {
		headers: { Authorization: `Basic ${btoa(`${id}:${secret}`)}` },
	});
	const own = kinds(recordsIn(await response.json()));
	expect(resource).not.toBe('');
	const other = [...kinds(recordsIn(body))].filter(([path, kind]) => own.has(path) && own.get(path) !== kind);
	expect(other).toEqual([]);
});

it.each(cases.filter(({ status }) => status >= 400))(
	'the words of $title reach the person',
	async ({ body, status }) => {
		answer(body, status);
		const userId = byId('11111111-1111-4111-8111-111111111111');
		const error = await failure(node.run({ resource: 'user', operation: 'get', userId }));
		expect(error.description).toContain(`HTTP status ${status}`);
		expect(error.description).toContain('made up');
	},
);
