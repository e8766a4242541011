import { useFakeTime } from '../support/fakeTime.mts';
import { byId, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture();

const getUsers = async (count: number) =>
	await node.run(
		{ resource: 'user', operation: 'get', userId: byId(node.userId()) },
		{ items: Array.from({ length: count }, () => ({ json: {} })), continueOnFail: true },
	);

describe('after a 429 that asks for an hour', () => {
	it('each of 20 reads succeeds within half a minute, the refused one included', async () => {
		useFakeTime();
		const startedAt = Date.now();
		node.service.addFault({ kind: 'status', status: 429, headers: { 'Retry-After': '3600' } });
		const output = await getUsers(20);
		expect(Date.now() - startedAt).toBeLessThan(30_000);
		expect(output.map(({ json }) => json.id)).toEqual(Array.from({ length: 20 }, () => node.userId()));
	});

	it('while Argyle goes on to refuse, each of 20 reads ends within its minute and says so', async () => {
		useFakeTime();
		const startedAt = Date.now();
		node.service.addFault({ kind: 'status', status: 429, headers: { 'Retry-After': '3600' }, times: Infinity });
		const output = await getUsers(20);
		expect(Date.now() - startedAt).toBeLessThan(75_000);
		expect(new Set(output.map(({ json }) => json.error))).toEqual(
			new Set(Array.from({ length: 20 }, (_, item) => `Argyle received too many requests at once [item ${item}]`)),
		);
	});
});
