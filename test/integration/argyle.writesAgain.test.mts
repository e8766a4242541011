import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import type { Fault } from '../support/fakeArgyle/index.mts';
import { advance, useFakeTime } from '../support/fakeTime.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { byId, inviteParameters, runNode, type RunOptions, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

let executionId = '';
beforeEach(() => {
	executionId = randomUUID();
	useFakeTime();
});

const ALEX = 'alex@example.com';
const UNCLEAR = expect.stringContaining('It is not known whether the invite was sent');

const invite = inviteParameters('={{ $json.email }}', { skipInvited: 'none' });

const peopleOf = (emails: string[]) => emails.map((email) => ({ json: { email } }));

/** Runs the node in the execution of the test; what comes out of each item is the ID of its invite, or its error. */
async function run(emails: string[], options: RunOptions = {}, parameters: object = invite): Promise<unknown[]> {
	const inExecution = { executionId, items: peopleOf(emails), continueOnFail: true, ...options };
	const output = await node.run(parameters, inExecution);
	return output.map(({ json: { id, error } }) => id ?? error);
}

const posts = () => node.service.requests.filter(({ method }) => method === 'POST').length;
const sentTo = (email: string) => node.service.messagesTo(email);
const invites = () => [...node.service.invites.keys()];

/** Which of equal calls is the first depends on the machine. */
const failuresFirst = (outcomes: unknown[]) =>
	outcomes.toSorted((one, other) => Number(one === invites()[0]) - Number(other === invites()[0]));

/** Carries out the next requests to send, with an answer that says nothing, and lets nobody look them up. */
function loseAnswers(times = 1, fault: Fault = { kind: 'statusAfterCommit', status: 502 }): void {
	node.service.addFault({ ...fault, method: 'POST', times });
	node.service.addFault({ kind: 'status', status: 400, method: 'GET', times: Infinity });
}

describe.each([false, true])('in rounds of a loop, with Retry On Fail %p,', (retryOnFail) => {
	const round = async (runIndex: number, emails = [ALEX]) => await run(emails, { runIndex, retryOnFail });

	it(`what is unclear is looked up by each later round and not sent again, Retry On Fail ${retryOnFail}`, async () => {
		loseAnswers();
		for (const runIndex of [0, 1, 5]) expect(await round(runIndex)).toEqual([UNCLEAR]);
		node.service.clearFaults();
		expect(await round(6)).toEqual(invites());
		expect([sentTo(ALEX), posts()]).toEqual([1, 1]);
	});

	it(`what was never sent is not sent either while it stays unclear, Retry On Fail ${retryOnFail}`, async () => {
		node.service.addFault({ kind: 'drop', method: 'POST' });
		for (const runIndex of [0, 1]) expect(await round(runIndex)).toEqual([UNCLEAR]);
		expect([sentTo(ALEX), posts()]).toEqual([0, 1]);
	});

	it(`equal rows of several rounds are as many people, Retry On Fail ${retryOnFail}`, async () => {
		for (const runIndex of [0, 1, 2]) await round(runIndex);
		expect(sentTo(ALEX)).toBe(3);
	});

	it(`what was found after all is another person's in the round after, Retry On Fail ${retryOnFail}`, async () => {
		loseAnswers();
		await round(0);
		node.service.clearFaults();
		const found = await round(1);
		expect(await round(2)).not.toEqual(found);
		expect(sentTo(ALEX)).toBe(2);
	});
});

it('what a round took over and found is not sent again by a try of the same round', async () => {
	loseAnswers();
	await run([ALEX]);
	node.service.clearFaults();
	const options = { runIndex: 1, retryOnFail: true };
	const first = await run([ALEX, 'alex@refused'], options);
	expect(await run([ALEX, 'alex@refused'], options)).toEqual(first);
	expect(sentTo(ALEX)).toBe(1);
});

it('what is unclear in one execution is sent by another one', async () => {
	loseAnswers();
	await run([ALEX]);
	await run([ALEX], { executionId: randomUUID() });
	expect(sentTo(ALEX)).toBe(2);
});

it('what is unclear with one key is sent with another', async () => {
	loseAnswers();
	await run([ALEX]);
	const otherKey = { ...node.credential, apiKeyId: 'another' };
	const error = await failure(runNode(otherKey, invite, { executionId, items: peopleOf([ALEX]), runIndex: 1 }));
	expect(error.message).toContain('does not know this API key');
});

describe('of equal orders in one list', () => {
	const order = { resource: 'verification', operation: 'order', reportType: 'voie', additionalFields: {} };
	const round = async (runIndex: number, count: number) =>
		await run(
			Array.from({ length: count }, () => ALEX),
			{ runIndex },
			{ ...order, userId: byId(node.userId()) },
		);
	const UNCLEAR_ORDER = expect.stringContaining('It is not known whether the verification was ordered');

	it('one after another that is unclear is another order', async () => {
		loseAnswers();
		expect(await round(0, 2)).toEqual([UNCLEAR_ORDER, expect.not.stringContaining(' ')]);
		node.service.clearFaults();
		await round(1, 1);
		expect(posts()).toBe(2);
	});

	it('what is unclear is taken over by one item of a later round only', async () => {
		loseAnswers();
		await round(0, 1);
		node.service.clearFaults();
		const found = await round(1, 2);
		expect(new Set(found).size).toBe(2);
		expect(posts()).toBe(2);
	});
});

it('an upload is taken over by a later round for the same file, and not for another one of the same user', async () => {
	const upload = { resource: 'userUpload', operation: 'upload', documentType: 'paystubs', binaryPropertyName: 'data' };
	const parameters = { ...upload, userId: byId(String([...node.service.accounts.values()][0]?.user)) };
	const round = async (runIndex: number, fileName: string) => {
		const data = { data: Buffer.from('%PDF-1.7 a file').toString('base64'), mimeType: 'application/pdf', fileName };
		const items = [{ json: {}, binary: { data } }];
		const [item] = await node.run(parameters, { executionId, runIndex, items, continueOnFail: true });
		return item?.json.file_name ?? item?.json.error;
	};
	loseAnswers();
	expect(await round(0, 'may.pdf')).toMatch('It is not known whether may.pdf was uploaded');
	node.service.clearFaults();
	expect(await round(1, 'june.pdf')).toBe('june.pdf');
	expect(await round(2, 'may.pdf')).toBe('may.pdf');
	expect(posts()).toBe(2);
});

describe("of an agent's tool", () => {
	const tool = { ...invite, agentMayAct: true };
	const call = async (email = ALEX, options: RunOptions = {}) => {
		const [outcome] = await run([email], { isTool: true, runIndex: 0, ...options }, tool);
		return outcome;
	};

	it.each([false, true])('a call that the model repeats is done once, Retry On Fail %p', async (retryOnFail) => {
		const first = await call(ALEX, { retryOnFail });
		expect(await call('bea@example.com', { retryOnFail, runIndex: 1 })).not.toBe(first);
		expect(await call(ALEX, { retryOnFail, runIndex: 2 })).toBe(first);
		expect([sentTo(ALEX), sentTo('bea@example.com')]).toEqual([1, 1]);
	});

	it('a call is done again in another execution', async () => {
		await call();
		await call(ALEX, { executionId: randomUUID() });
		expect(sentTo(ALEX)).toBe(2);
	});

	it('equal calls at a time are done once, and all have its result', async () => {
		const outcomes = await Promise.all([call(), call(), call()]);
		expect(outcomes).toEqual([invites()[0], invites()[0], invites()[0]]);
		expect(sentTo(ALEX)).toBe(1);
	});

	it('of equal calls at a time another one is sent when the first is refused', async () => {
		node.service.addFault({ kind: 'status', status: 400, method: 'POST' });
		const outcomes = await Promise.all([call(), call(), call()]);
		const refused = expect.stringContaining('did not accept');
		expect(failuresFirst(outcomes)).toEqual([refused, invites()[0], invites()[0]]);
		expect(sentTo(ALEX)).toBe(1);
	});

	it('equal calls at a time, of which the first stays unclear, are looked up', async () => {
		node.service.addFault({ kind: 'dropAfterCommit', method: 'POST' });
		node.service.addFault({ kind: 'status', status: 400, method: 'GET' });
		const outcomes = await Promise.all([call(), call()]);
		expect(failuresFirst(outcomes)).toEqual([UNCLEAR, invites()[0]]);
		expect([sentTo(ALEX), posts()]).toEqual([1, 1]);
	});

	it('a call that is unclear is not sent again after another one that succeeds meanwhile', async () => {
		loseAnswers();
		expect(await call(ALEX, { retryOnFail: true })).toEqual(UNCLEAR);
		expect(await call('bea@example.com', { retryOnFail: true, runIndex: 1 })).not.toEqual(UNCLEAR);
		expect(await call(ALEX, { retryOnFail: true, runIndex: 2 })).toEqual(UNCLEAR);
		expect([sentTo(ALEX), posts()]).toEqual([1, 2]);
	});

	it('a call with the ID of a key, but not its secret, gets nothing of an equal call at that time', async () => {
		// Behind an MCP Server Trigger. A copied workflow keeps the IDs of its nodes.
		const ofOther = { isTool: true, executionId: null, items: peopleOf([ALEX]), continueOnFail: true };
		const [own, [other]] = await Promise.all([
			call(ALEX, { executionId: null }),
			runNode({ ...node.credential, apiKeySecret: 'not the secret' }, tool, ofOther),
		]);
		expect(own).toBe(invites()[0]);
		expect(other?.json).not.toHaveProperty('id');
		expect(other?.json.error).toContain('does not know this API key');
	});

	describe("without an execution, as in n8n's Agents and behind an MCP Server Trigger,", () => {
		const callTool = async (parameters: object): Promise<IDataObject> => {
			const [item] = await node.run({ ...parameters, agentMayAct: true }, { isTool: true, executionId: null });
			return item?.json ?? {};
		};
		const ofUser = (more: object) => ({ ...more, userId: byId(node.userId()) });
		const named = (firstName: string) => ofUser({ resource: 'user', operation: 'update', updateFields: { firstName } });
		const ORDER = () => ofUser({ resource: 'verification', operation: 'order', reportType: 'voie' });
		const NOTE = expect.stringMatching(/^Not done again: an equal call did this at .*Z, .* call again after .*Z\.$/);

		it.each<[string, () => object]>([
			['an invite', () => inviteParameters(ALEX, { skipInvited: 'none' })],
			['an order', ORDER],
			['a user', () => ({ resource: 'user', operation: 'create', additionalFields: { firstName: 'Alex' } })],
		])('equal calls for %s within ten minutes count as one, and the model is told so', async (_, parameters) => {
			const [first, second] = await Promise.all([callTool(parameters()), callTool(parameters())]);
			advance(9 * 60_000);
			const third = await callTool(parameters());
			expect([first.id, second.id, third.id]).toEqual(Array(3).fill(expect.any(String)));
			expect(new Set([first.id, second.id, third.id]).size).toBe(1);
			expect([first.note, second.note].filter((note) => note !== undefined)).toEqual([NOTE]);
			expect([third.note, posts()]).toEqual([NOTE, 1]);
			advance(2 * 60_000);
			expect(await callTool(parameters())).not.toHaveProperty('note');
			expect(posts()).toBe(2);
		});

		it('a change back is made, and a record that is there again is deleted again', async () => {
			for (const name of ['Ann', 'Bea', 'Ann']) await callTool(named(name));
			expect(node.service.users.get(node.userId())?.first_name).toBe('Ann');
			const { id } = await callTool(ORDER());
			const numbered = { resource: 'verification', operation: 'update', verificationId: byId(String(id)) };
			for (const loanNumber of ['1', '2', '1']) await callTool({ ...numbered, updateFields: { loanNumber } });
			const changes = node.writes().filter(({ method }) => method === 'PATCH');
			expect(changes).toHaveLength(6);
			const deletion = ofUser({ resource: 'user', operation: 'delete', confirmDeletion: true });
			const user = node.service.users.get(node.userId());
			for (let times = 0; times < 2; times++) {
				if (user !== undefined) node.service.users.set(user.id, user);
				await callTool(deletion);
				expect(node.service.users.has(String(user?.id))).toBe(false);
			}
		});

		it('a user who was deleted is created again by Create or Update', async () => {
			const upsert = { resource: 'user', operation: 'upsert', externalId: 'crm-1', additionalFields: {} };
			const { id } = await callTool(upsert);
			expect(await callTool(upsert)).toMatchObject({ id, result: 'updated' });
			node.service.users.delete(String(id));
			expect(await callTool(upsert)).toMatchObject({ id: expect.not.stringMatching(String(id)), result: 'created' });
		});

		it('what is unclear is looked up', async () => {
			loseAnswers();
			for (let tries = 0; tries < 2; tries++) expect(await call(ALEX, { executionId: null })).toEqual(UNCLEAR);
			expect([sentTo(ALEX), posts()]).toEqual([1, 1]);
		});
	});
});
