import { ExecuteContext } from 'n8n-core';
import { byId, inviteParameters, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

async function hintsOf(parameters: object, itemCount = 1): Promise<string[]> {
	const hints = jest.spyOn(ExecuteContext.prototype, 'addExecutionHints');
	await node.run(parameters, { items: Array.from({ length: itemCount }, () => ({ json: {} })) });
	return hints.mock.calls.flat().map(({ message }) => message);
}

const getMany = (resource: string, more: object = {}) => ({ resource, operation: 'getAll', ...more });

describe('hint above the output', () => {
	it('says once what a mask stands for, and how it can be seen, however many items ask', async () => {
		const hints = await hintsOf(getMany('identity', { returnAll: true, simplify: false }), 3);
		expect(hints).toEqual([expect.stringMatching(/^••• stands for .* add the option Include Sensitive Data\.$/)]);
	});

	it('says once that invites which were sent again are still revoked', async () => {
		node.service.assumed.resendRevoked = 'sends';
		const [item] = await node.run(inviteParameters());
		const resend = { resource: 'invite', operation: 'resend', inviteId: byId(String(item?.json.id)) };
		expect(await hintsOf(resend)).toEqual([]);
		await node.run({ ...resend, operation: 'revoke' });
		expect(await hintsOf(resend, 2)).toEqual([expect.stringMatching(/is still revoked.* Use Invite: Send/)]);
		expect(node.service.messages).toHaveLength(4);
	});

	it.each([
		['a list that Limit cuts, because n8n does', getMany('gig', { limit: 1 })],
		[
			'what is shown in full',
			getMany('identity', { returnAll: true, simplify: false, options: { includeSensitive: true } }),
		],
		['records without sensitive values', getMany('gig', { returnAll: true })],
	])('says nothing about %s', async (_, parameters) => {
		expect(await hintsOf(parameters)).toEqual([]);
	});
});
