import { useFakeTime } from '../support/fakeTime.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { byId, inviteParameters, type RunOptions, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

describe("n8n's Retry On Fail", () => {
	const items = ['a@example.com', 'b@example.com', 'c@example.com'].map((email) => ({ json: { email } }));
	const parameters = inviteParameters('={{ $json.email }}', { skipInvited: 'none' });
	const deletion = () => ({
		resource: 'user',
		operation: 'delete',
		userId: byId(node.userId()),
		confirmDeletion: true,
	});
	let execution = 0;
	beforeEach(() => execution++);
	const tries = (more: RunOptions = {}): RunOptions => ({
		...{ items, executionId: `retried-${execution}`, retryOnFail: true },
		...more,
	});
	const perAddress = () => items.map(({ json }) => node.service.messagesTo(json.email));

	it('deletes in its second try what the first one has left, though its outcome was unclear', async () => {
		useFakeTime();
		node.service.addFault({ kind: 'status', status: 503, method: 'DELETE' });
		node.service.addFault({ kind: 'status', status: 429, method: 'DELETE', times: Infinity });
		const options = { retryOnFail: true, executionId: 'execution-of-deletion' };
		await failure(node.run(deletion(), options));
		node.service.clearFaults();
		const [item] = await node.run(deletion(), options);
		expect(item?.json).toMatchObject({ deleted: true });
	});

	it('finds a deletion that was carried out, though Argyle refused all tries after it', async () => {
		useFakeTime();
		node.service.addFault({ kind: 'statusAfterCommit', status: 503, method: 'DELETE' });
		node.service.addFault({ kind: 'status', status: 429, method: 'DELETE', times: Infinity });
		const [item] = await node.run(deletion());
		expect(item?.json).toMatchObject({ deleted: true });
	});

	it('is forgotten when all items are done, and by another execution', async () => {
		await node.run(parameters, tries());
		await node.run(parameters, tries());
		expect(perAddress()).toEqual([2, 2, 2]);
		node.service.addFault({ kind: 'status', status: 400, method: 'POST', skip: 1 });
		await failure(node.run(parameters, tries()));
		await node.run(parameters, tries({ executionId: 'two' }));
		expect(perAddress()).toEqual([4, 3, 3]);
	});
});
