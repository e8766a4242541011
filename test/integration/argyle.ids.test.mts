import { errorsOfNothing, fieldsWhere } from '../support/n8nCore/emptyExpressions.mts';
import { type RunOptions, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

/** Every field that names the record which an operation is about. */
const ids = fieldsWhere(({ name, required }) => required === true && name.endsWith('Id')).map(
	({ field: { name, displayName }, ...place }) => ({ ...place, name, displayName }),
);

it('many operations are on one record', () => expect(ids.length).toBeGreaterThan(25));

it.each(ids)(
	'$resource $operation says that $displayName is missing when its expression gives nothing, in a node and in a tool, before a request',
	async ({ name, displayName, ...place }) => {
		const parameters = { ...place, email: 'alex@example.com', confirmDeletion: true, agentMayAct: true };
		const error = expect.stringMatching(`^${displayName} is missing`);
		const run = async (saved: unknown, options: RunOptions) =>
			await node.run({ ...parameters, [name]: saved }, options);
		for (const tried of await errorsOfNothing(run)) expect(tried).toEqual({ ...tried, error });
		expect(node.service.requests).toHaveLength(0);
	},
);
