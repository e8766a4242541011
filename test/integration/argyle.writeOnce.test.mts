import type { INodeExecutionData } from 'n8n-workflow';
import type { Fault } from '../support/fakeArgyle/index.mts';
import { advance, dropPackets, useFakeTime } from '../support/fakeTime.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { inviteParameters, type RunOptions, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';
import { CASES, inputOf, OPERATIONS, type Write } from './operations.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000, environment: 'sandbox' });
beforeEach(() => void useFakeTime());

interface Row extends Write {
	title: string;
	/** In place of what the case of the operation enters. */
	entered?: object;
}

const ROWS: Row[] = [
	...Object.entries(CASES).flatMap(([title, { write }]) => (write === undefined ? [] : [{ title, ...write }])),
	{
		...{ title: 'user create', isKind: true, entered: { additionalFields: { firstName: 'Alex' } } },
		// Without an External ID, nobody can tell.
		...{ count: ({ service }) => service.users.size, isFound: false, output: { first_name: 'Alex' } },
		...{ what: 'the user was created', check: 'User: Get Many' },
	},
];

/** What comes out unless the case says otherwise. */
const RECORD = { id: expect.any(String) };

type FaultRow = [title: string, fault: Fault, done: 0 | 1];

/** What goes wrong with the one request, and whether it was carried out. */
const LOST: FaultRow[] = [
	['lost after the work', { kind: 'dropAfterCommit' }, 1],
	['lost before the work', { kind: 'drop' }, 0],
];

const FAULTS: FaultRow[] = [
	...LOST,
	['waited for in vain after the work', { kind: 'hangAfterCommit' }, 1],
	['waited for in vain before the work', { kind: 'hang' }, 0],
	['500, before the work', { kind: 'status', status: 500 }, 0],
	['502 of a proxy, before the work', { kind: 'html' }, 0],
	['504, after the work', { kind: 'statusAfterCommit', status: 504 }, 1],
	['a page of HTML with status 200, after the work', { kind: 'statusAfterCommit', status: 200, body: '<p>hi' }, 1],
	['200 without a record, after the work', { kind: 'statusAfterCommit', status: 200, body: { url: 'x' } }, 1],
	['200 without a record, before the work', { kind: 'status', status: 200, body: {} }, 0],
];

/** Ends the wait for the next answer when Argyle has the request. */
function timeOutOnceReceived(): void {
	const { requests } = node.service;
	const log = requests.push.bind(requests);
	jest.spyOn(AbortSignal, 'timeout').mockImplementationOnce(() => {
		const timeOut = new AbortController();
		jest.spyOn(requests, 'push').mockImplementationOnce((request) => {
			timeOut.abort(new DOMException('no answer', 'TimeoutError'));
			return log(request);
		});
		return timeOut.signal;
	});
}

/** Prepares the case, and returns what the tests of all cases do. */
async function begin({ title, method = 'POST', entered, count }: Row) {
	const [resource = '', operation = ''] = title.split(' ');
	const [parameters, items = []] = await inputOf(node, resource, operation);
	const item: INodeExecutionData = items[0] ?? { json: {} };
	// So that nothing that was there before can be taken for the result.
	advance(3_600_000);
	const [before, requests] = [count(node), node.service.requests.length];
	return {
		item,
		run: async (options: RunOptions = {}) =>
			await node.run({ resource, operation, ...parameters, ...entered }, { items: [item], ...options }),
		addFault: (fault: Fault) => node.service.addFault({ ...fault, method }),
		done: () => count(node) - before,
		sent: () => node.service.requests.slice(requests).filter((request) => request.method === method),
	};
}

async function expectOneRequest(row: Row, fault: Fault, done: 0 | 1): Promise<void> {
	const { isFound = true, hasAnswer = true, output = RECORD, what, check } = row;
	const { item, run, addFault, ...counts } = await begin(row);
	addFault(fault);
	if (fault.kind.startsWith('hang')) timeOutOnceReceived();
	const isUnread = fault.status === 200 && !hasAnswer;
	if (isUnread || (done === 1 && isFound)) {
		expect((await run())[0]?.json).toMatchObject(output);
	} else {
		const error = await failure(run());
		expect(error.message).toBe(`It is not known whether ${what.replace('{id}', String(item.json.id))} [item 0]`);
		expect(error.description).toContain(`Check with ${check} before you run this again.`);
		if (fault.kind === 'status') expect(error.description).toMatch(/Trace ID [0-9a-f]{32}\./);
		expect(JSON.stringify(error)).not.toContain('verify.argyle.com');
	}
	expect([counts.done(), counts.sent().length]).toEqual([done, 1]);
	// What takes a record alone has nothing to say of it.
	if (OPERATIONS.some((one) => one.title === row.title && one.fields.every(({ name }) => name.endsWith('Id'))))
		expect(counts.sent()[0]?.body).toBeUndefined();
}

it('each operation that writes has a case, but for those that may be done twice', () => {
	const writing = OPERATIONS.filter(({ effect, operation }) => effect !== 'reads' && operation !== 'delete');
	const twice = ['session createLink', 'user update', 'user upsert'];
	const rows = new Set([...twice, ...ROWS.map(({ title }) => title)]);
	expect([...rows].sort()).toEqual(writing.map(({ title }) => title).sort());
});

describe.each(ROWS.filter(({ isKind }) => isKind))('$title', (row) => {
	const { title, output = RECORD, addsUp } = row;

	it.each(FAULTS)(`${title}, whose answer is %s, is sent once`, async (_, fault, done) => {
		await expectOneRequest(row, fault, done);
	});

	it(`${title}, refused twice by 429, is sent until it is taken`, async () => {
		const { run, addFault, done, sent } = await begin(row);
		addFault({ kind: 'status', status: 429, times: 2 });
		expect((await run())[0]?.json).toMatchObject(output);
		expect([done(), sent().length]).toEqual([1, 3]);
	});

	it(`${title} is sent again when nothing can have arrived`, async () => {
		const { run, done } = await begin(row);
		await node.service.goOffline();
		expect((await failure(run())).message).toContain('Argyle could not be reached');
		await node.service.goOnline();
		await run();
		expect(done()).toBe(1);
	});

	it(`${title} with Retry On Fail is done once for each of three items, of which the middle one fails`, async () => {
		const { item, run, addFault, done, sent } = await begin(row);
		const retried = { retryOnFail: true, executionId: title, items: [item, item, item] };
		addFault({ kind: 'status', status: 400, skip: 1 });
		expect((await failure(run(retried))).message).toContain('[item 1]');
		expect(await run(retried)).toHaveLength(3);
		// Beside the one that failed.
		expect([done(), sent().length]).toEqual([addsUp === false ? 1 : 3, 4]);
	});
});

describe.each(ROWS.filter(({ isKind }) => !isKind))('$title', (row) => {
	it.each(LOST)(`${row.title}, whose answer is %s, is sent once`, async (_, fault, done) => {
		await expectOneRequest(row, fault, done);
	});
});

const EMAIL = 'alex@example.com';

const INVITE_ALEX = inviteParameters(EMAIL, { skipInvited: 'none' });

it.each([null, [], [{ id: 'first-of-a-list' }], { id: '' }, { detail: 'OK' }, '"sent"', '<p>OK', ''])(
	'an invite that is answered by 201 and %j is found',
	async (body) => {
		node.service.addFault({ kind: 'statusAfterCommit', status: 201, body, method: 'POST' });
		const [item] = await node.run(INVITE_ALEX);
		expect(item?.json.id).toBe([...node.service.invites.keys()][0]);
		expect(node.service.messagesTo(EMAIL)).toBe(1);
	},
);

it('an invite that was answered is not taken for another to the same person, whose answer was lost', async () => {
	await node.run(INVITE_ALEX);
	node.service.addFault({ kind: 'status', status: 500, method: 'POST' });
	const error = await failure(node.run(INVITE_ALEX));
	expect(error.message).toContain('It is not known whether the invite was sent');
});

it("an invite is found by Argyle's clock, though n8n's is an hour off", async () => {
	node.service.addFault({ kind: 'dropAfterCommit', method: 'POST' });
	node.service.clockOffsetMs = -3_600_000;
	const [item] = await node.run(INVITE_ALEX);
	expect(item?.json).toMatchObject({ email: EMAIL });
});

it('packets that are dropped on their way leave it unclear, and nothing is sent twice', async () => {
	dropPackets();
	expect((await failure(node.run(INVITE_ALEX))).message).toContain('It is not known whether the invite was sent');
	expect(node.service.messages).toHaveLength(0);
});
