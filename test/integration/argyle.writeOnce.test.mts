import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { INodeExecutionData } from 'n8n-workflow';
import type { Fault } from '../support/fakeArgyle/index.mts';
import { dropPackets, useFakeTime } from '../support/fakeTime.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { useNodeFixture } from '../support/n8nCore/nodeFixture.mts';
import { connected, EMAIL, INVITE_ALEX, KINDS, OTHERS, type WriteCase } from './writeOnceCases.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000, environment: 'sandbox' });
beforeEach(() => void useFakeTime());

async function itemWithFile(): Promise<INodeExecutionData> {
	const service = Container.get(BinaryDataService);
	await service.init();
	const location = { type: 'execution' as const, workflowId: 'w', executionId: 'e' };
	const file = { data: '', mimeType: 'application/pdf', fileName: 'paystub.pdf' };
	return { json: {}, binary: { data: await service.store(location, Buffer.from('%PDF-1.7 a file'), file) } };
}

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
async function begin({ method = 'POST', prepare, count, output = { id: expect.any(String) } }: WriteCase) {
	const parameters = await prepare(node);
	const [before, requests] = [count(node), node.service.requests.length];
	return {
		output,
		run: async (options = {}) => await node.run(parameters, { items: [await itemWithFile()], ...options }),
		addFault: (fault: Fault) => node.service.addFault({ ...fault, method }),
		done: () => count(node) - before,
		sent: () => node.service.requests.slice(requests).filter((request) => request.method === method).length,
	};
}

async function expectOneRequest(operation: WriteCase, fault: Fault, done: 0 | 1): Promise<void> {
	const { isFound = true, hasAnswer = true, what, check } = operation;
	const { output, run, addFault, ...counts } = await begin(operation);
	addFault(fault);
	if (fault.kind.startsWith('hang')) timeOutOnceReceived();
	const isUnread = fault.status === 200 && !hasAnswer;
	if (isUnread || (done === 1 && isFound)) {
		expect((await run())[0]?.json).toMatchObject(output);
	} else {
		const error = await failure(run());
		const shown = what.replace('{account}', connected(node).account.id);
		expect(error.message).toBe(`It is not known whether ${shown} [item 0]`);
		expect(error.description).toContain(`Check with ${check} before you run this again.`);
		if (fault.kind === 'status') expect(error.description).toMatch(/Trace ID [0-9a-f]{32}\./);
		expect(JSON.stringify(error)).not.toContain('verify.argyle.com');
	}
	expect([counts.done(), counts.sent()]).toEqual([done, 1]);
}

describe.each(Object.entries(KINDS))('%s', (title, operation) => {
	it.each(FAULTS)(`${title}, whose answer is %s, is sent once`, async (_, fault, done) => {
		await expectOneRequest(operation, fault, done);
	});

	it(`${title}, refused twice by 429, is sent until it is taken`, async () => {
		const { output, run, addFault, done, sent } = await begin(operation);
		addFault({ kind: 'status', status: 429, times: 2 });
		expect((await run())[0]?.json).toMatchObject(output);
		expect([done(), sent()]).toEqual([1, 3]);
	});

	it(`${title} is sent again when nothing can have arrived`, async () => {
		const { run, done } = await begin(operation);
		await node.service.goOffline();
		expect((await failure(run())).message).toContain('Argyle could not be reached');
		await node.service.goOnline();
		await run();
		expect(done()).toBe(1);
	});

	it(`${title} with Retry On Fail is done once for each of three items, of which the middle one fails`, async () => {
		const { run, addFault, done, sent } = await begin(operation);
		const retried = {
			...{ retryOnFail: true, executionId: title },
			items: [await itemWithFile(), await itemWithFile(), await itemWithFile()],
		};
		addFault({ kind: 'status', status: 400, skip: 1 });
		expect((await failure(run(retried))).message).toContain('[item 1]');
		expect(await run(retried)).toHaveLength(3);
		// Beside the one that failed.
		expect([done(), sent()]).toEqual([operation.addsUp === false ? 1 : 3, 4]);
	});
});

describe.each(Object.entries(OTHERS))('%s', (title, operation) => {
	it.each(LOST)(`${title}, whose answer is %s, is sent once`, async (_, fault, done) => {
		await expectOneRequest(operation, fault, done);
	});
});

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
