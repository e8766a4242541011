import type { StoredRecord } from '../support/fakeArgyle/types.mts';
import { clock } from '../../nodes/Argyle/utils/clock';
import { advance, useFakeTime } from '../support/fakeTime.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { binaryBytes, byId, type RunOptions, stopOnce, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 1_440 * MINUTE;

let known: Set<string>;
let startedAt: number;

const reports = () => node.service.records.of('reports');
const made = (): StoredRecord[] => [...reports().values()].filter(({ id }) => !known.has(id));
const waitedMs = () => Date.now() - startedAt;
const requests = (method: string) => node.service.requests.filter((request) => request.method === method).length;

/** Lets time pass, and Argyle work on what was asked for. */
function useTime(work: (report: StoredRecord, passedMs: number) => void): void {
	startedAt = Date.now();
	useFakeTime(() => startedAt);
	jest.spyOn(clock, 'pause').mockImplementation(async (ms, signal) => {
		if (signal?.aborted !== true) advance(ms);
		for (const report of made())
			if (['generating', 'waiting_for_sync'].includes(String(report.status))) work(report, waitedMs());
	});
}

const after = (ms: number, status: string) => (report: StoredRecord, passedMs: number) => {
	if (passedMs >= ms) report.status = status;
};

const account = () => {
	const [first] = node.service.accounts.values();
	if (first === undefined) throw new Error('there is no account');
	return first;
};

const generate = async (then: object = {}, more: RunOptions & { metadata?: string; reportType?: string } = {}) => {
	const { metadata, reportType = 'voie', ...run } = more;
	return await node.run(
		{
			...{ resource: 'report', operation: 'generate', reportType, userId: byId(String(account().user)) },
			...{ additionalFields: metadata === undefined ? {} : { metadata }, ...then },
		},
		run,
	);
};

const READY = { andThen: 'wait' };
const WITH_FILE = { andThen: 'waitAndDownload', binaryPropertyName: 'report' };

beforeEach(() => {
	known = new Set(reports().keys());
});

describe('Report Generate that waits', () => {
	it.each([
		['at the next look', 0, 2 * SECOND, 1],
		['after three minutes', 3 * MINUTE, 3.5 * MINUTE, 19],
		['after 29 minutes, of 30', 29 * MINUTE, 29.5 * MINUTE, 71],
	])('puts out the report that is generated %s', async (_, readyMs, outMs, looks) => {
		useTime(after(readyMs, 'generated'));
		const [item] = await generate({ ...READY, waitMinutes: 30 });
		expect(item?.json).toMatchObject({ id: made()[0]?.id, status: 'generated' });
		expect(made()).toHaveLength(1);
		expect(waitedMs()).toBeLessThanOrEqual(outMs);
		expect(requests('GET') - 1).toBeLessThanOrEqual(looks);
	});

	it('brings the file with Wait and Download, in the chosen field', async () => {
		useTime(after(0, 'generated'));
		const [item] = await generate(WITH_FILE);
		expect(item?.json).toMatchObject({ id: made()[0]?.id, status: 'generated' });
		expect((await binaryBytes(item?.binary?.report)).subarray(0, 5).toString()).toBe('%PDF-');
	});

	it.each([
		['has failed', after(MINUTE, 'failed'), /^Argyle could not generate report ID \[item 0\]$/, 'Its status is failed'],
		[
			'takes longer',
			() => {},
			/^Argyle has not generated report ID in 10 minutes \[item 0\]$/,
			'Its status is generating',
		],
	])('says so of a report that %s, and Retry On Fail makes no other', async (what, work, message, description) => {
		useTime(work);
		const tries = { executionId: `waits: ${what}`, retryOnFail: true };
		for (let tried = 1; tried <= 2; tried++) {
			const error = await failure(generate(READY, tries));
			expect(error.message.replace(String(made()[0]?.id), 'ID')).toMatch(message);
			expect(error.description).toContain(description);
			expect(made()).toHaveLength(1);
		}
	});

	it('waits on while Argyle is away for five minutes', async () => {
		useTime(after(0, 'generated'));
		node.service.addFault({ kind: 'status', status: 503, method: 'GET', path: /reports\/./, times: Infinity });
		const take = node.service.faults.take.bind(node.service.faults);
		jest.spyOn(node.service.faults, 'take').mockImplementation((...request) => {
			if (waitedMs() > 5 * MINUTE) node.service.clearFaults();
			return take(...request);
		});
		expect((await generate(READY))[0]?.json.status).toBe('generated');
		expect(made()).toHaveLength(1);
	});

	it('lets all items wait at the same time, each with its own result', async () => {
		useTime((report, passedMs) => {
			const [first, second] = made();
			if (passedMs >= 3 * MINUTE) report.status = report === first ? 'failed' : 'generated';
			else if (report === second) report.status = 'generated';
		});
		const items = ['a', 'b', 'c'].map((loan) => ({ json: { loan } }));
		const metadata = '={{ { "loan": $json.loan } }}';
		const output = await generate(READY, { items, metadata, continueOnFail: true });
		expect(output.map(({ json }) => json.status ?? json.error)).toEqual([
			expect.stringContaining('could not generate'),
			'generated',
			'generated',
		]);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		expect(waitedMs()).toBeLessThan(5 * MINUTE);
		known = new Set(reports().keys());
		const error = await failure(generate(READY, { items, metadata: '={{ { "again": $json.loan } }}' }));
		expect(error.description).toContain('Argyle goes on with the other items');
	});

	it('ends at once when the execution is stopped, and makes no other report when it is run again', async () => {
		useFakeTime();
		jest.spyOn(clock, 'pause').mockImplementation(async (_, signal) => {
			if (signal?.aborted === false) await new Promise((resolve) => signal.addEventListener('abort', resolve));
		});
		const { description } = await stopOnce(
			() => made().length > 0,
			async (signal) => await generate(READY, { signal }),
		);
		expect(description).toContain('The execution was stopped');
		useTime(after(0, 'generated'));
		expect((await generate(READY))[0]?.json.id).toBe(made()[0]?.id);
		expect(made()).toHaveLength(1);
	});

	it.each<[string, number, (report: StoredRecord) => unknown, object?]>([
		['is being generated', 1, () => {}],
		['was generated', 1, (report) => (report.status = 'generated')],
		[
			'waits for a sync',
			1,
			(report) => {
				report.status = 'waiting_for_sync';
				account().updated_at = new Date(Date.now()).toISOString();
			},
		],
		['has failed', 2, (report) => (report.status = 'failed')],
		[
			'is older than Wait Minutes',
			2,
			(report) => (report.created_at = new Date(Date.now() - 11 * MINUTE).toISOString()),
		],
		['is of another type', 2, () => {}, { reportType: 'voe' }],
		['has other metadata', 2, () => {}, { metadata: '{"loan": 7}' }],
		[
			'is from before the last scan of an account',
			2,
			() => {
				account().updated_at = new Date(Date.now()).toISOString();
			},
		],
		['is of an account that is gone', 2, (report) => (report.accounts = [{ id: 'gone' }])],
	])('after n8n was killed, a report that %s leaves %i in all', async (_, count, change, more = {}) => {
		useFakeTime();
		account().updated_at = new Date(Date.now() - DAY).toISOString();
		await generate();
		const [first] = made();
		if (first !== undefined) change(first);
		useTime(after(0, 'generated'));
		const [item] = await generate(READY, more);
		expect(item?.json.status).toBe('generated');
		expect(made()).toHaveLength(count);
	});

	it.each(['newest first', 'oldest first'] as const)(
		'after n8n was killed, the report is found beside 250 others in a list that is %s',
		async (reportsOrder) => {
			node.service.assumed.reportsOrder = reportsOrder;
			useFakeTime();
			account().updated_at = new Date(Date.now() - DAY).toISOString();
			const created_at = new Date(Date.now() - 2 * DAY).toISOString();
			node.service.addRecords('reports', 250, { user: String(account().user), created_at });
			known = new Set(reports().keys());
			await generate();
			useTime(after(0, 'generated'));
			expect((await generate(READY))[0]?.json.id).toBe(made()[0]?.id);
			expect(made()).toHaveLength(1);
		},
	);

	it.each([
		[{ andThen: '={{ "perhaps" }}' }, 'Then can\'t be "perhaps" [item 0]'],
		[{ ...WITH_FILE, binaryPropertyName: ' ' }, 'Put Output File in Field is empty [item 0]'],
		[{ ...READY, waitMinutes: 31 }, 'Wait Minutes is more than 30 [item 0]'],
		[{ ...READY, waitMinutes: 0 }, 'Wait Minutes is not a positive whole number [item 0]'],
	])('with the fields %j asks for nothing', async (then, message) => {
		expect(await node.refusalOf(generate(then))).toBe(message);
	});
});
