import type { GenericValue } from 'n8n-workflow';
import { isDataObject } from '../../nodes/Argyle/utils/json';
import { fieldsWhere } from '../support/n8nCore/emptyExpressions.mts';
import { byExternalId, inviteParameters, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';
import { inputOf, OPERATIONS } from './operations.mts';

const node = useNodeFixture({ requestsPerSecond: 5_000 });

/** What is an ID, and how it is sent. */
const TAKEN: Array<[given: string | number, externalId: string]> = [
	['crm-7', 'crm-7'],
	['00123', '00123'],
	['12E45', '12E45'],
	['Jürgen & Söhne #1', 'Jürgen & Söhne #1'],
	[' "crm-8" ', 'crm-8'],
	['Ju\u0308rgen', 'Jürgen'],
	['\u200bcrm-9\ufeff', 'crm-9'],
	['Null-1', 'Null-1'],
	[4711, '4711'],
	[-5, '-5'],
	[2 ** 53 - 1, '9007199254740991'],
	['-NaNbC_x-', '-NaNbC_x-'],
	['12345678901234567890', '12345678901234567890'],
	['a@example.com', 'a@example.com'],
];

/** What an empty cell comes to. A field that may be empty is left out then. */
const EMPTY: GenericValue[] = ['\u200b', '\u3164', '\u202e', {}, [], 'null', 'undefined'];

/** What sheets, databases, JSON and people give in place of an ID. */
const NO_ID: GenericValue[] = [
	...[2 ** 53, 12345678901234567890, 1e21, 0.1 + 0.2, 4711.5, NaN, Infinity, 0],
	...['1.23457E+17', '1,23457E+17', '1E+17', '1e-05', '4711.0'],
	...['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#ERROR!', '#SPILL!', '########'],
	...['#NV', '#BEZUG!', '#WERT!', '#ÜBERLAUF!', '#N/D', '#¡VALOR!', '#¿NOMBRE?', '#VALEUR!', '#NOM?', 'Err:502'],
	...['Loading...', 'Wird geladen...', 'Cargando…', '=VLOOKUP(A2,B:C,2)', '=A2'],
	...['NULL', 'None', 'NaN', '(leer)', '(blank)', '[object Object]', '\\N', '-', '—', '?', '...', '0'],
	...['N/A', 'n/a', 'n.a.', 'k.A.', 'TBD', 'inconnu', 'Sin datos', 'unbekannt'],
	...['acme-undefined', 'crm-1\ncrm-2', true, ['a', 'b']],
];

const EXPRESSION = '={{ $json.id }}';

/** A field that takes an External ID. */
interface Place {
	title: string;
	/** Whether nothing is refused if the field is empty. */
	isOptional?: boolean;
	parameters: (expression: string) => Promise<object>;
}

/** For *User Upload: Upload*, whose field names this file. */
const binary = { data: { mimeType: 'image/png', fileName: 'id.png', data: Buffer.from('\x89PNG').toString('base64') } };

const takers: Place[] = OPERATIONS.flatMap(({ title, resource, operation, fields }) =>
	fields.some(({ name }) => name === 'userId')
		? {
				title: `${title}, User by External ID`,
				async parameters(expression) {
					const [own] = await inputOf(node, resource, operation);
					return {
						resource,
						operation,
						...own,
						userId: byExternalId(expression),
						sendBy: 'email',
						email: '={{ $json.mail }}',
					};
				},
			}
		: [],
);

const filters: Place[] = fieldsWhere(({ name }) => name === 'filters').flatMap(
	({ resource, operation, field: { options = [] } }) =>
		options.flatMap((option) => {
			const isUser = option.name === 'user' && 'type' in option && option.type === 'resourceLocator';
			if (!isUser && option.name !== 'externalId') return [];
			const title = `${resource} ${operation}, filter ${isUser ? 'User by External ID' : 'External ID'}`;
			const filterOf = (expression: string) => ({ [option.name]: isUser ? byExternalId(expression) : expression });
			return {
				title,
				parameters: async (expression: string) => ({
					...{ resource, operation, returnAll: true, filters: filterOf(expression) },
				}),
			};
		}),
);

const fields: Place[] = [
	{
		title: 'user upsert, External ID',
		parameters: async (externalId) => ({ resource: 'user', operation: 'upsert', externalId, additionalFields: {} }),
	},
	{
		title: 'user create, External ID',
		isOptional: true,
		parameters: async (externalId) => ({
			...{ resource: 'user', operation: 'create', additionalFields: { firstName: 'Ann', externalId } },
		}),
	},
	{
		title: 'user update, External ID',
		isOptional: true,
		parameters: async (externalId) => ({
			...{ resource: 'user', operation: 'update', userId: { __rl: true, mode: 'id', value: node.userId() } },
			updateFields: { firstName: 'Ann', externalId },
		}),
	},
	{
		title: 'invite send, External ID',
		isOptional: true,
		parameters: async (externalId) => inviteParameters('={{ $json.mail }}', { additionalFields: { externalId } }),
	},
];

const PLACES = [...takers, ...filters, ...fields];

/** The External IDs that Argyle was asked for, or that it was sent. */
const asked = () =>
	node.service.requests.flatMap(({ query, body }) => {
		const inBody = isDataObject(body) ? body.external_id : undefined;
		return [new URLSearchParams(query).get('external_id'), inBody].filter((id) => typeof id === 'string');
	});

it('an External ID is entered in many places', () => expect(PLACES.length).toBeGreaterThan(25));

it.each(PLACES)(
	'$title: an External ID is taken exactly, or refused before a request',
	async ({ parameters, isOptional = false }) => {
		const saved = await parameters(EXPRESSION);
		const errorsOf = async (given: GenericValue[]) => {
			node.service.requests.length = 0;
			const items = given.map((id, index) => ({ json: { id, mail: `ann${index}@example.com` }, binary }));
			const output = await node.run(saved, { items, continueOnFail: true });
			return output.map(({ json, pairedItem }) => [pairedItem, json.error]);
		};
		const refused = isOptional ? NO_ID : [...NO_ID, ...EMPTY];
		expect(await errorsOf(refused)).toEqual(refused.map((_, item) => [{ item }, expect.any(String)]));
		expect(node.service.requests).toEqual([]);
		await errorsOf([...refused, ...TAKEN.map(([given]) => given), ...EMPTY]);
		expect([...new Set(asked())].sort()).toEqual(TAKEN.map(([, externalId]) => externalId).sort());
	},
);

const COMPOSED = [
	'={{ $json.tenant }}-{{ $json.id }}',
	"={{ $json.tenant + '-' + $json.id }}",
	"={{ $json.tenant + '-' + ($json.id ?? '') }}",
	'={{ `${$json.tenant}-${$json.id}` }}',
	'={{ $workflow.id }}-{{ $json.id }}',
];

// One of each kind of field.
it.each([takers[0], filters[0], ...filters.filter(({ title }) => title.endsWith('filter External ID')), ...fields])(
	'$title: an ID of several parts is refused if one of them is missing',
	async ({ parameters }) => {
		for (const [index, expression] of COMPOSED.entries()) {
			const saved = await parameters(expression);
			node.service.requests.length = 0;
			const run = async (ids: Array<string | number | null | undefined>) => {
				const items = ids.map((id) => ({ json: { tenant: 'acme', id, mail: `ann${index}@example.com` }, binary }));
				return await node.run(saved, { items, continueOnFail: true });
			};
			const missing = expect.stringMatching(/is missing|is no ID of a person|has no value/);
			const errors = (await run(['', null, undefined])).map(({ json }) => [expression, json.error]);
			expect(errors).toEqual([1, 2, 3].map(() => [expression, missing]));
			expect(node.service.requests).toEqual([]);
			await run([7]);
			expect(asked()).toContainEqual(expect.stringMatching(/-7$/));
		}
	},
);
