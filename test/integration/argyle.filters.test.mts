import { RECORD_TYPES } from '../../nodes/Argyle/api/recordTypes';
import { NO_CHOICE } from '../../nodes/Argyle/shared/idToFind';
import { errorsOfNothing, fieldsWhere } from '../support/n8nCore/emptyExpressions.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { byId, type RunOptions, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

interface Place {
	resource: string;
	operation: string;
}

/** Every list and its filters, by what the node shows. */
const lists = fieldsWhere(({ name }) => name === 'filters').map(({ field: { options = [] }, ...place }) => ({
	...place,
	filters: options.filter((option) => 'type' in option),
}));

const run = async (place: Place, given: object, options?: RunOptions) =>
	await node.run({ ...place, returnAll: true, searchText: 'Whole Goods', filters: given }, options);

it('each list of the node has filters', () => {
	const filtered = lists.filter(({ filters }) => filters.length > 0).map(({ resource }) => resource);
	expect(new Set(filtered).size).toBe(Object.keys(RECORD_TYPES).length + 3);
});

it.each(lists)(
	'$resource $operation refuses each filter whose expression gives nothing, in a node and in a tool, before a request',
	async ({ filters, ...place }) => {
		for (const { name, displayName } of filters) {
			const error = expect.stringMatching(`^The filter ${displayName} has no value`);
			const tries = await errorsOfNothing(async (saved, options) => await run(place, { [name]: saved }, options));
			for (const tried of tries) expect(tried).toEqual({ ...tried, error });
		}
		expect(node.service.requests).toHaveLength(0);
	},
);

it.each(lists)(
	'$resource $operation takes filters that a person left empty for none',
	async ({ filters, ...place }) => {
		const all = await run(place, {});
		const leftEmpty = ['', '  ', [], { __rl: true, mode: 'list', value: '' }, byId('')];
		for (const empty of leftEmpty) {
			const given = Object.fromEntries(filters.map(({ name }) => [name, empty]));
			expect(await run(place, given)).toEqual(all);
		}
		const [first, ...rest] = node.service.requests.map(({ query }) => query);
		expect(rest).toEqual(leftEmpty.map(() => first));
	},
);

it('refuses a filter by the entry that says what a list lacks, which is no choice of anybody', async () => {
	const chosen = { __rl: true, mode: 'list', value: NO_CHOICE };
	for (const { filters, ...place } of lists) {
		for (const { name, displayName } of filters.filter(({ type }) => type === 'resourceLocator')) {
			const { message } = await failure(run(place, { [name]: chosen }));
			expect(message).toBe(`The filter ${displayName} has no value [item 0]`);
		}
	}
	expect(node.service.requests).toEqual([]);
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
