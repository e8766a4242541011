import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Fault } from '../support/fakeArgyle/index.mts';
import { useFakeTime } from '../support/fakeTime.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { byId, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000, environment: 'sandbox' });

function connected() {
	const [account] = node.service.accounts.values();
	if (account === undefined) throw new Error('there is no account');
	return { account, user: String(account.user) };
}

const countOf = (name: 'reports' | 'user-uploads' | 'paystubs') => node.service.records.of(name).size;

async function itemWithFile(): Promise<INodeExecutionData> {
	const service = Container.get(BinaryDataService);
	await service.init();
	const location = { type: 'execution' as const, workflowId: 'w', executionId: 'e' };
	const file = { data: '', mimeType: 'application/pdf', fileName: 'paystub.pdf' };
	return { json: {}, binary: { data: await service.store(location, Buffer.from('%PDF-1.7 a file'), file) } };
}

/** An operation that must not be sent twice. */
interface Case {
	parameters: () => object;
	/** How many objects there are of what it makes. */
	count: () => number;
	/** Whether the service can be asked what became of it. */
	isFound: boolean;
	/** Whether the answer has something to read. @default true */
	hasAnswer?: boolean;
	/** Whether doing it again makes one more. @default true */
	addsUp?: boolean;
	what: string;
	check: string;
	output: IDataObject;
}

const CASES: Record<string, Case> = {
	'User Create with an external ID': {
		parameters: () => ({ resource: 'user', operation: 'create', additionalFields: { externalId: 'crm-7' } }),
		...{ count: () => node.service.users.size, isFound: true },
		...{ what: 'the user was created', check: 'User: Get Many', output: { external_id: 'crm-7' } },
	},
	'User Create without an external ID': {
		parameters: () => ({ resource: 'user', operation: 'create', additionalFields: { firstName: 'Alex' } }),
		...{ count: () => node.service.users.size, isFound: false },
		...{ what: 'the user was created', check: 'User: Get Many', output: { first_name: 'Alex' } },
	},
	'Report Generate': {
		parameters: () => ({
			...{ resource: 'report', operation: 'generate', reportType: 'voie', userId: byId(connected().user) },
			additionalFields: {},
		}),
		...{ count: () => countOf('reports'), isFound: true },
		...{ what: 'the report is being generated', check: 'Report: Get Many', output: { status: 'generating' } },
	},
	'User Upload Upload': {
		parameters: () => ({
			...{ resource: 'userUpload', operation: 'upload', documentType: 'paystubs', binaryPropertyName: 'data' },
			userId: byId(connected().user),
		}),
		...{ count: () => countOf('user-uploads'), isFound: true },
		...{ what: 'paystub.pdf was uploaded', check: 'User Upload: Get Many', output: { file_name: 'paystub.pdf' } },
	},
	'Account Disable Refresh': {
		parameters: () => ({
			...{ resource: 'account', operation: 'disableRefresh', accountId: byId(connected().account.id) },
		}),
		count: () =>
			[...node.service.accounts.values()].filter((account) =>
				JSON.stringify(account.ongoing_refresh).includes('disabled'),
			).length,
		...{ isFound: true, hasAnswer: false, addsUp: false },
		...{ what: 'the refresh of account', check: 'Account: Get', output: { success: true } },
	},
	'Account Simulate New Data': {
		parameters: () => ({
			...{ resource: 'account', operation: 'simulateNewData', accountId: byId(connected().account.id) },
		}),
		...{ count: () => countOf('paystubs'), isFound: false, hasAnswer: false },
		...{ what: 'got new data', check: 'Paystub: Get Many', output: { success: true } },
	},
};

/** What goes wrong with the one request, and whether it was carried out. */
const FAULTS: Array<[title: string, fault: Fault, done: 0 | 1]> = [
	['lost after the work', { kind: 'dropAfterCommit' }, 1],
	['lost before the work', { kind: 'drop' }, 0],
	['500, before the work', { kind: 'status', status: 500 }, 0],
	['502 of a proxy, before the work', { kind: 'html' }, 0],
	['502 of a proxy, after the work', { kind: 'statusAfterCommit', status: 502 }, 1],
	['503, before the work', { kind: 'status', status: 503 }, 0],
	['a page of HTML with status 200, after the work', { kind: 'statusAfterCommit', status: 200, body: '<p>hi' }, 1],
	['a record without an ID, after the work', { kind: 'statusAfterCommit', status: 200, body: { url: 'x' } }, 1],
];

describe.each(Object.entries(CASES))('%s', (title, { parameters, count, isFound, what, check, output, ...rest }) => {
	const { hasAnswer = true, addsUp = true } = rest;
	const run = async (options = {}) => await node.run(parameters(), { items: [await itemWithFile()], ...options });
	const posts = () => node.service.requests.filter(({ method }) => method === 'POST');

	it.each(FAULTS)(`${title}, whose answer is %s, is sent once`, async (_, fault, done) => {
		useFakeTime();
		const before = count();
		node.service.addFault({ ...fault, method: 'POST' });
		const isUnread = fault.status === 200 && !hasAnswer;
		if (isUnread || (done === 1 && isFound)) {
			expect((await run())[0]?.json).toMatchObject(output);
		} else {
			const { message, description } = await failure(run());
			expect(message).toMatch(new RegExp(`^It is not known whether .*${what}.* \\[item 0\\]$`));
			expect(description).toContain(`Check with ${check} before you run this again.`);
			if (fault.kind === 'status') expect(description).toMatch(/Trace ID [0-9a-f]{32}\./);
		}
		expect(count()).toBe(before + done);
		expect(posts()).toHaveLength(1);
	});

	it.each<[string, 0 | 1, Fault]>([
		['never answers', 0, { kind: 'hang' }],
		['does the work and never answers', 1, { kind: 'hangAfterCommit' }],
	])(`${title} is sent once to a service that %s`, async (_, done, fault) => {
		const before = count();
		node.service.addFault({ ...fault, method: 'POST' });
		const timeout = AbortSignal.timeout.bind(AbortSignal);
		let requests = 0;
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(requests++ === 0 ? 300 : ms));
		const outcome = await run().then(
			([item]) => item?.json,
			({ message }: Error) => message,
		);
		expect(outcome).toEqual(
			done === 1 && isFound ? expect.objectContaining(output) : expect.stringMatching(/^It is not known whether /),
		);
		expect([count(), posts().length]).toEqual([before + done, 1]);
	});

	it(`${title}, refused twice by 429, is sent until it is taken`, async () => {
		useFakeTime();
		const before = count();
		node.service.addFault({ kind: 'status', status: 429, method: 'POST', times: 2 });
		expect((await run())[0]?.json).toMatchObject(output);
		expect([count(), posts().length]).toEqual([before + 1, 3]);
	});

	it(`${title} with Retry On Fail is done once for each of three items, of which the middle one fails`, async () => {
		useFakeTime();
		const before = count();
		const retried = {
			...{ retryOnFail: true, executionId: title },
			items: [await itemWithFile(), await itemWithFile(), await itemWithFile()],
		};
		let sent = 0;
		// Only the second request, by whatever path.
		const isSecond = { test: () => ++sent === 2 };
		node.service.addFault({ kind: 'status', status: 400, method: 'POST', path: Object.assign(/./, isSecond) });
		expect((await failure(run(retried))).message).toContain('[item 1]');
		expect(await run(retried)).toHaveLength(3);
		expect(count() - before).toBe(addsUp ? 3 : 1);
		// Beside the one that failed.
		expect(posts()).toHaveLength(4);
	});
});
