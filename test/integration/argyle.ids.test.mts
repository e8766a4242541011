import { fieldsWhere, NOTHING, WAYS } from '../support/n8nCore/emptyExpressions.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

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
		for (const [kind, nothing] of NOTHING) {
			for (const isTool of [false, true]) {
				for (const saved of WAYS) {
					const items = [{ json: { nothing } }];
					const { message } = await failure(node.run({ ...parameters, [name]: saved }, { items, isTool }));
					const expected = expect.stringMatching(`^${displayName} is missing`);
					expect({ kind, isTool, saved, message }).toEqual({ kind, isTool, saved, message: expected });
				}
			}
		}
		expect(node.service.requests).toHaveLength(0);
	},
);
