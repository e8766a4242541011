import type { Fault } from '../support/fakeArgyle/index.mts';
import { useFakeTime } from '../support/fakeTime.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { byId, type RunOptions, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

describe("n8n's Retry On Fail", () => {
	const items = ['a@example.com', 'b@example.com', 'c@example.com'].map((email) => ({ json: { email } }));
	const parameters = {
		...{ resource: 'invite', operation: 'send', firstName: 'Alex', lastName: 'Sample' },
		...{ sendBy: 'email', email: '={{ $json.email }}', skipOpenInvites: false, additionalFields: {} },
	};
	let execution = 0;
	beforeEach(() => execution++);
	const tries = (more: RunOptions = {}): RunOptions => ({
		...{ items, executionId: `retried-${execution}`, retryOnFail: true },
		...more,
	});
	const perAddress = () => items.map(({ json }) => node.service.messagesTo(json.email));

	const FIRST_TRY: Array<[string, Fault, 0 | 1]> = [
		['is refused', { kind: 'status', status: 400 }, 0],
		['is done, without a clear answer or one that can be looked up', { kind: 'statusAfterCommit', status: 500 }, 1],
	];

	it.each(FIRST_TRY)('writes to everybody once when the middle item %s', async (_, fault, done) => {
		useFakeTime();
		node.service.addFault({ ...fault, method: 'POST', skip: 1 });
		node.service.addFault({ kind: 'status', status: 400, method: 'GET', times: Infinity });
		await failure(node.run(parameters, tries()));
		expect(perAddress()).toEqual([1, done, 0]);
		node.service.clearFaults();
		const output = await node.run(parameters, tries());
		expect(output.map(({ json }) => json.email)).toEqual(items.map(({ json }) => json.email));
		expect(perAddress()).toEqual([1, 1, 1]);
	});

	it('deletes in its second try what the first one has left, though its outcome was unclear', async () => {
		useFakeTime();
		node.service.addFault({ kind: 'status', status: 503, method: 'DELETE' });
		node.service.addFault({ kind: 'status', status: 429, method: 'DELETE', times: Infinity });
		const deletion = { resource: 'user', operation: 'delete', userId: byId(node.userId()), confirmDeletion: true };
		const options = { retryOnFail: true, executionId: 'execution-of-deletion' };
		await failure(node.run(deletion, options));
		node.service.clearFaults();
		const [item] = await node.run(deletion, options);
		expect(item?.json).toMatchObject({ deleted: true });
	});

	it('finds a deletion that was carried out, though Argyle refused all tries after it', async () => {
		useFakeTime();
		node.service.addFault({ kind: 'statusAfterCommit', status: 503, method: 'DELETE' });
		node.service.addFault({ kind: 'status', status: 429, method: 'DELETE', times: Infinity });
		const deletion = { resource: 'user', operation: 'delete', userId: byId(node.userId()), confirmDeletion: true };
		const [item] = await node.run(deletion);
		expect(item?.json).toMatchObject({ deleted: true });
	});

	it('does not send the middle item again while nobody can tell whether it was sent', async () => {
		useFakeTime();
		node.service.addFault({ kind: 'drop', method: 'POST', skip: 1 });
		await failure(node.run(parameters, tries()));
		const error = await failure(node.run(parameters, tries()));
		expect(error.message).toBe('Row 2 b@example.com: It is not known whether the invite was sent');
		expect(error.description).toContain('Row 1 a@example.com was done before');
		expect(perAddress()).toEqual([1, 0, 0]);
	});

	it('gives each item its own result with Continue On Fail, and repeats only the one that failed', async () => {
		useFakeTime();
		node.service.addFault({ kind: 'status', status: 400, method: 'POST', skip: 1 });
		const first = await node.run(parameters, tries({ continueOnFail: true }));
		expect(first.map(({ json }) => json.email ?? json.error)).toEqual([
			'a@example.com',
			'Argyle did not accept the request [item 1]',
			'c@example.com',
		]);
		expect(perAddress()).toEqual([1, 0, 1]);
		const second = await node.run(parameters, tries({ continueOnFail: true }));
		expect(second.map(({ json }) => json.email)).toEqual(items.map(({ json }) => json.email));
		expect(perAddress()).toEqual([1, 1, 1]);
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
