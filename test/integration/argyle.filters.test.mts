import { LOAN_NUMBER } from '../../nodes/Argyle/api/filters';
import { RECORD_TYPES } from '../../nodes/Argyle/api/recordTypes';
import { fieldsWhere, GIVES_NOTHING, NOTHING, WAYS } from '../support/n8nCore/emptyExpressions.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { byId, type RunOptions, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

interface Place {
	resource: string;
	operation: string;
}

/** Every filter there is, by what the node shows. */
const filters = fieldsWhere(({ name }) => name === 'filters').flatMap(({ field, ...place }) =>
	(field.options ?? [])
		.filter((option) => 'type' in option)
		.map(({ name, displayName }) => ({ ...place, name, displayName })),
);

const run = async (place: Place, given: object, options?: RunOptions) =>
	await node.run({ ...place, returnAll: true, searchText: 'Whole Goods', filters: given }, options);

it('each list of the node has filters', () => {
	expect(new Set(filters.map(({ resource }) => resource)).size).toBe(Object.keys(RECORD_TYPES).length + 3);
});

it.each(filters)(
	'$resource $operation refuses the filter $displayName whose expression gives nothing, in a node and in a tool, before a request',
	async ({ name, displayName, ...place }) => {
		for (const [kind, nothing] of NOTHING) {
			for (const isTool of [false, true]) {
				for (const saved of WAYS) {
					const items = [{ json: { nothing } }];
					const { message } = await failure(run(place, { [name]: saved }, { items, isTool }));
					const expected = expect.stringMatching(`^The filter ${displayName} has no value`);
					expect({ kind, isTool, saved, message }).toEqual({ kind, isTool, saved, message: expected });
				}
			}
		}
		expect(node.service.requests).toHaveLength(0);
	},
);

it.each(filters)(
	'$resource $operation takes the filter $displayName that a person left empty for none',
	async ({ name, ...place }) => {
		const all = await run(place, {});
		const leftEmpty = ['', '  ', [], { __rl: true, mode: 'list', value: '' }, byId('')];
		for (const empty of leftEmpty) expect(await run(place, { [name]: empty })).toEqual(all);
		const [first, ...rest] = node.service.requests.map(({ query }) => query);
		expect(rest).toEqual(leftEmpty.map(() => first));
	},
);

it('a filter that is added refuses an expression that gives nothing, without any code of its own', async () => {
	const added = { ...LOAN_NUMBER, name: 'user', displayName: 'Added' };
	const known = RECORD_TYPES.rating.filters.splice(0, Infinity, added);
	const place = { resource: 'rating', operation: 'getAll' };
	try {
		const { message } = await failure(run(place, { user: GIVES_NOTHING }));
		expect(message).toBe('The filter Added has no value [item 0]');
		await run(place, { user: '={{ "4711" }}' });
	} finally {
		RECORD_TYPES.rating.filters.splice(0, 1, ...known);
	}
	expect(node.service.requests.map(({ query }) => query)).toEqual(['?loan_number=4711&limit=200']);
});

describe('a filter that is left to the model of an agent', () => {
	const forms = { resource: 'userForm', operation: 'getAll' };
	const asModel = async (user: unknown, given: object) =>
		await run(forms, { user }, { items: [{ json: { ...given } }], isTool: true });

	const ONE_CALL = [
		"={{ $fromAI('User') }}",
		'={{$fromai("User", "Whose (a name isn\'t one), such as `x` or }", "string")}}',
		"={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('User', `Costs $5, don\\`t care\n{here}`, 'string', '') }}",
		"={{ $fromAI('User', ``, 'string', undefined) }}",
	];

	it.each(ONE_CALL)('is none when the model leaves it empty: %s', async (expression) => {
		for (const given of [{}, { User: '' }, { User: null }, { User: 'None' }, { User: '"null"' }])
			expect(await asModel(expression, given)).toHaveLength(node.service.userForms.size);
		expect(await asModel(byId(expression), { User: node.userId(2) })).toHaveLength(1);
	});

	const MIXED = [
		"={{ $fromAI('User') || $json.customer }}",
		"={{ $json.customer ?? $fromAI('User') }}",
		"={{ $fromAI('User', ``, 'string', $json.customer) }}",
		"={{ $fromAI('User', ``, 'string', `${$json.customer ?? ''}`) }}",
		"={{ [$fromAI('User')][0] }}",
		"={{ $fromAI('User') }}{{ '' }}",
		"={{ /* $fromAI('User') */ $json.customer }}",
	];

	it.each(MIXED)('is refused where an expression of its maker gives nothing: %s', async (expression) => {
		for (const given of [{}, { User: '' }, { User: null }]) {
			const { message } = await failure(asModel(expression, given));
			expect(message).toMatch(/^The filter User has no value\. Its expression gives nothing/);
		}
		expect(node.service.requests).toHaveLength(0);
	});
});
