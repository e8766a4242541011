import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { inviteParameters, type RunOptions, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

interface Person {
	email: string;
	id?: string;
	first?: string;
}

const ANN: Person = { email: 'ann@x.co', id: 'crm-1', first: 'Ann' };
const BEN: Person = { email: 'ben@x.co', id: 'crm-2', first: 'Ben' };

/** Invites a list whose people have External IDs. */
async function inviteAll(people: Person[], more: object = {}, options: RunOptions = {}): Promise<IDataObject[]> {
	const { additionalFields, ...others } = { additionalFields: {}, ...more };
	const parameters = inviteParameters('={{ $json.email }}', {
		...{ firstName: "={{ $json.first ?? 'Alex' }}" },
		additionalFields: { externalId: '={{ $json.id }}', ...additionalFields },
		...others,
	});
	const items = people.map((json) => ({ json: { ...json } }));
	return (await node.run(parameters, { items, ...options })).map(({ json }) => json);
}

function addUser(external_id: string): string {
	const id = randomUUID();
	node.service.users.set(id, { id, external_id, first_name: 'Ann', last_name: 'Sample' });
	return id;
}

const usersWith = (externalId: string) =>
	[...node.service.users.values()].filter(({ external_id: id }) => id === externalId).map(({ id }) => id);
const sentTo = () => node.service.messages.map(({ to }) => to);
const results = (items: IDataObject[]) => items.map(({ result }) => result);
const lookups = () => node.service.requests.filter(({ query }) => query.includes('external_id')).length;

describe('an External ID that a user has', () => {
	it.each(['none', 'open', 'openOrCompleted'])(
		'lets nobody be invited if that user has no invite, with all such rows in one error, Skip Invited is %s',
		async (skipInvited) => {
			const [ann] = [addUser('crm-1'), addUser('crm-2'), addUser('crm-2')];
			const run = inviteAll([ANN, { email: 'cy@x.co', id: 'crm-3' }, BEN], { skipInvited });
			const { message, description } = await failure(run);
			expect(message).toBe(
				`2 of 3 can't be invited: item 0 ann@x.co: Ann Sample (user ${ann}) has the External ID crm-1 already; ` +
					'item 2 ben@x.co: 2 users have the External ID crm-2',
			);
			for (const way of ['Invite: Resend', 'Session: Send Invite', 'leave External ID out'])
				expect(description).toContain(way);
			expect([sentTo(), usersWith('crm-1'), usersWith('crm-2').length, lookups()]).toEqual([[], [ann], 2, 3]);
			const output = await inviteAll(
				[ANN, { email: 'cy@x.co', id: 'crm-3' }],
				{ skipInvited },
				{ continueOnFail: true },
			);
			expect(output.map(({ result, external_id: id }) => [result, id])).toEqual([
				['refused', 'crm-1'],
				['invited', 'crm-3'],
			]);
		},
	);

	it('is told for one item alone, too', async () => {
		addUser('crm-1');
		expect((await failure(inviteAll([ANN]))).message).toMatch(/ has the External ID crm-1 already \[item 0\]$/);
		expect([sentTo(), usersWith('crm-1').length]).toEqual([[], 1]);
	});

	it('is told to a trial as to the real run, which has no External ID of its own', async () => {
		addUser('crm-1');
		const trial = { additionalFields: { testRecipient: 'me@x.co' } };
		expect((await failure(inviteAll([ANN, BEN], trial))).message).toMatch(
			/^1 of 2 .* has the External ID crm-1 already/,
		);
		expect(results(await inviteAll([BEN], trial))).toEqual(['invited']);
		expect([sentTo(), usersWith('crm-2')]).toEqual([['me@x.co'], []]);
	});

	it('of two rows is told without a request', async () => {
		const twins = [ANN, { ...BEN, id: 'crm-1' }];
		expect(await node.refusalOf(inviteAll(twins))).toBe(
			"1 of 2 can't be invited: item 1 ben@x.co: It has the External ID of item 0 ann@x.co",
		);
		expect(results(await inviteAll(twins, {}, { continueOnFail: true }))).toEqual(['invited', 'refused']);
	});

	it('is that of one user after Retry On Fail, for whom the first try has sent the invite', async () => {
		node.service.addFault({ kind: 'status', status: 400, method: 'POST', skip: 1 });
		const tries = { executionId: randomUUID(), retryOnFail: true };
		const none = { skipInvited: 'none' };
		await failure(inviteAll([ANN, BEN], none, tries));
		expect(results(await inviteAll([ANN, BEN], none, tries))).toEqual(['invited', 'invited']);
		expect([sentTo(), usersWith('crm-1').length]).toEqual([['ann@x.co', 'ben@x.co'], 1]);
	});
});

describe('the same list, run again', () => {
	const byPhone = { sendBy: 'sms', phoneNumber: "={{ '212555010' + $json.id.at(-1) }}" };

	it.each<[by: string, change: object]>([
		['by the same way', {}],
		['by another way', byPhone],
	])('%s, writes to nobody again, open or completed, and makes no second user', async (_, change) => {
		const [first] = await inviteAll([ANN, BEN]);
		await node.service.person(String(first?.id)).connect();
		for (let times = 0; times < 2; times++) {
			const output = await inviteAll([ANN, BEN], change);
			expect(results(output)).toEqual(['skipped', 'skipped']);
			expect(output[0]?.reason).toMatch(/^There is a completed invite, last changed at 20.* Invite: Resend\.$/);
			expect(output[1]?.reason).toMatch(/^There is an open invite, last sent at 20.* Invite: Resend\.$/);
		}
		expect([sentTo(), usersWith('crm-1').length, usersWith('crm-2').length]).toEqual([['ann@x.co', 'ben@x.co'], 1, 1]);
	});

	it('refuses who has completed, if only open invites are skipped', async () => {
		const [first] = await inviteAll([ANN, BEN]);
		await node.service.person(String(first?.id)).connect();
		const { message } = await failure(inviteAll([ANN, BEN], { skipInvited: 'open' }));
		expect(message).toMatch(/^1 of 2 can't be invited: item 0 ann@x\.co: .* has the External ID crm-1 already$/);
	});

	it('in the batches of a loop, writes to nobody whom an earlier batch has written to', async () => {
		const options = { executionId: randomUUID() };
		const batches = [[ANN], [BEN, { ...ANN, email: 'other@x.co' }]];
		const output = [];
		for (const [runIndex, batch] of batches.entries())
			output.push(...results(await inviteAll(batch, {}, { ...options, runIndex })));
		expect(output).toEqual(['invited', 'invited', 'skipped']);
		expect([sentTo(), usersWith('crm-1').length]).toEqual([['ann@x.co', 'ben@x.co'], 1]);
	});

	it('says that an External ID was not set, if the invite was found by the address', async () => {
		await inviteAll([
			{ ...ANN, id: undefined },
			{ ...BEN, id: undefined },
		]);
		const holder = addUser('crm-2');
		const output = await inviteAll([ANN, BEN]);
		expect(results(output)).toEqual(['skipped', 'skipped']);
		expect(output[0]?.reason).toContain('does not have the External ID crm-1. User: Update can set it.');
		expect(output[1]?.reason).toContain(`does not have the External ID crm-2. User ${holder} has it.`);
		expect(usersWith('crm-1')).toEqual([]);
	});

	it('names whose invite it is, if somebody else has the External ID', async () => {
		await inviteAll([ANN]);
		const [item] = await inviteAll([{ ...BEN, id: 'crm-1' }]);
		expect(item).toMatchObject({ result: 'skipped', first_name: 'Ann', external_id: 'crm-1' });
		expect(item?.reason).toMatch(
			/of the user with this External ID, .* is that of Ann Sample\. .* another External ID/,
		);
	});
});

describe('two people with one address', () => {
	const couple = [ANN, { ...BEN, email: 'ANN@x.co' }];

	it('are invited in one list if nobody is skipped, and their names differ', async () => {
		expect(results(await inviteAll(couple, { skipInvited: 'none' }))).toEqual(['invited', 'invited']);
		const again = [ANN, couple[1], { ...ANN, id: 'crm-9' }];
		expect(await failure(inviteAll(again, { skipInvited: 'none' }))).toMatchObject({
			message: "1 of 3 can't be invited: item 2 ann@x.co: It has the address or number of item 0 ann@x.co",
		});
	});

	it('are told how to be, if people are skipped', async () => {
		const { description } = await failure(inviteAll(couple));
		expect(description).toContain('If two people have one address or number, choose Nobody in Skip Invited.');
		expect(node.service.requests).toEqual([]);
	});
});
