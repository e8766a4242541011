import { randomUUID } from 'node:crypto';
import { errorsOfNothing, fieldsWhere } from '../support/n8nCore/emptyExpressions.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { byId, type RunOptions, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';
import { inputOf } from './operations.mts';

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

// An External ID may be anything, and an employer has words of its own.
it.each(ids.filter(({ name }) => name !== 'externalId' && name !== 'employerId'))(
	'$resource $operation refuses an e-mail address as $displayName before a request, and names what does not exist',
	async ({ resource, operation, name, displayName }) => {
		node.addSubscriptions(1);
		const [parameters, items] = await inputOf(node, resource, operation);
		const before = node.service.requests.length;
		const errorOf = async (id: string) =>
			await failure(node.run({ resource, operation, ...parameters, [name]: byId(id) }, { items: items?.slice(0, 1) }));
		expect((await errorOf('alex@example.com')).message).toBe(`${displayName} is not a valid ID [item 0]`);
		expect(node.service.requests).toHaveLength(before);
		const id = randomUUID();
		const noun = displayName.replace(' ID', '').toLowerCase();
		const { message, description } = await errorOf(id);
		// Of what stands in a body, and not in the address, Argyle itself says it.
		if (message.startsWith('Argyle did not accept'))
			expect(description).toMatch(new RegExp(`Argyle says: ${noun}: .* not`));
		else expect(message).toBe(`Argyle could not find the ${noun} ${id} [item 0]`);
		expect(node.service.requests.filter(({ status }) => status >= 400)).toHaveLength(1);
	},
);
