import { ExecuteContext } from 'n8n-core';
import { useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

/** The sentences that n8n shows above the output. */
async function hintsOf(parameters: object, itemCount = 1): Promise<string[]> {
	const hints = jest.spyOn(ExecuteContext.prototype, 'addExecutionHints');
	await node.run(parameters, { items: Array.from({ length: itemCount }, () => ({ json: {} })) });
	return hints.mock.calls.flat().map(({ message }) => message);
}

const getMany = (resource: string, more: object = {}) => ({ resource, operation: 'getAll', ...more });

describe('hint above the output', () => {
	it('says once that Argyle has more than Limit, however many items ask', async () => {
		const hints = await hintsOf(getMany('user', { limit: 1, options: { includeSensitive: true } }), 3);
		expect(hints).toEqual(['Argyle has more than these: raise Limit, or turn on Return All.']);
	});

	it('says so for webhook subscriptions, also where a page ends at Limit', async () => {
		node.addSubscriptions(201);
		expect(await hintsOf(getMany('webhook', { limit: 200 }))).toHaveLength(1);
	});

	it('says what a mask stands for, and that it can be seen', async () => {
		const hints = await hintsOf(getMany('identity', { returnAll: true, simplify: false }));
		expect(hints).toEqual([expect.stringMatching(/^••• stands for .* add the option Include Sensitive Data\.$/)]);
	});

	it.each([
		['a list that is complete at Limit', getMany('user', { limit: 3, options: { includeSensitive: true } })],
		['what is shown in full', getMany('identity', { returnAll: true, simplify: false, options: { includeSensitive: true } })],
		['records without sensitive values', getMany('gig', { returnAll: true })],
	])('says nothing about %s', async (_, parameters) => {
		expect(await hintsOf(parameters)).toEqual([]);
	});
});
