import { randomUUID } from 'node:crypto';
import type { RecordTypeName } from '../support/fakeArgyle/recordTypes.mts';
import { useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

const owner = { user: randomUUID(), account: randomUUID() };

function store(name: RecordTypeName, field: string, dates: string[]): void {
	for (const date of dates) node.service.records.add(name, 1, owner, { [field]: date });
}

/** The dates of the records that come out, oldest first. */
async function datesFound(resource: string, field: string, filters: object, timezone = 'America/New_York') {
	const items = await node.run(
		{
			...{ resource, operation: 'getAll', returnAll: true, simplify: false },
			filters: { account: owner.account, ...filters },
		},
		{ settings: { timezone } },
	);
	return items.map(({ json }) => String(json[field])).sort();
}

const range = () => new URLSearchParams(node.service.requests[0]?.query);

const DAYS = ['10-28', '10-29', '10-31', '11-01', '11-02', '11-03', '11-04'].map((day) => `2026-${day}T00:00:00Z`);

describe('Paystub Get Many', () => {
	const found = async (filters: object, timezone?: string) =>
		(await datesFound('paystub', 'paystub_date', filters, timezone)).map((date) => date.slice(5, 10));

	it.each(['America/New_York', 'Europe/Berlin', 'Asia/Tokyo'])(
		'From and To, as the date picker stores them in %s, are days of the calendar, both included',
		async (timezone) => {
			store('paystubs', 'paystub_date', DAYS);
			const filters = { from: '2026-11-01T00:00:00', to: '2026-11-03T00:00:00' };
			expect(await found(filters, timezone)).toEqual(['11-01', '11-02', '11-03']);
			expect(range().get('from_start_date')).toBe('2026-11-01T00:00:00.000Z');
			expect(range().get('to_start_date')).toBe('2026-11-03T23:59:59.999Z');
		},
	);

	it.each([
		['from', '11-01', DAYS.slice(3), 'to'],
		['to', '10-29', DAYS.slice(0, 2), 'from'],
	])('the filter %s can be given alone, and leaves out what Argyle sends beyond %s', async (name, day, days, other) => {
		store('paystubs', 'paystub_date', DAYS);
		expect(await found({ [name]: `2026-${day}` })).toEqual(days.map((date) => date.slice(5, 10)));
		expect(range().has(`${other}_start_date`)).toBe(false);
	});

	it.each(['from', 'to'])('the filter %s that is no date fails before any request', async (name) => {
		expect(await node.refusalOf(found({ [name]: 'soon' }))).toMatch(/^(From|To) is not a date \[item 0\]$/);
	});
});

const MOMENTS: Array<[resource: string, name: RecordTypeName, field: string, query: string]> = [
	['gig', 'gigs', 'start_datetime', 'start_datetime'],
	['shift', 'shifts', 'start_datetime', 'start_datetime'],
	['payrollDocument', 'payroll-documents', 'available_date', 'available_date'],
];

it.each(MOMENTS)(
	'%s Get Many takes From and To for moments in the time zone of the workflow',
	async (resource, name, field, query) => {
		const times = ['2026-11-02T04:59:59Z', '2026-11-02T05:00:00Z', '2026-11-02T13:30:00Z', '2026-11-02T13:30:01Z'];
		store(name, field, times);
		const filters = { from: '2026-11-02T00:00:00', to: '2026-11-02T08:30:00' };
		expect(await datesFound(resource, field, filters)).toEqual(times.slice(1, 3));
		expect(range().get(`from_${query}`)).toBe('2026-11-02T05:00:00.000Z');
		expect(range().get(`to_${query}`)).toBe('2026-11-02T13:30:00.000Z');
	},
);

it.each(MOMENTS)('%s Get Many takes a To without a time for the whole of that day', async (resource, name, field) => {
	const times = ['2026-11-30T04:59:59Z', '2026-11-30T05:00:00Z', '2026-12-01T04:59:59Z', '2026-12-01T05:00:00Z'];
	store(name, field, times);
	for (const day of ['2026-11-30', '2026-11-30T00:00:00'])
		expect(await datesFound(resource, field, { from: day, to: day })).toEqual(times.slice(1, 3));
});

/** 01:30 in New York, in the night when clocks go back. */
const BOTH_TIMES = ['2026-11-01T05:30:00.000Z', '2026-11-01T06:30:00.000Z'];

it.each([
	['user forms', 'userForm', { createdAfter: '2026-11-01 01:30', createdBefore: '2026-11-01 01:30' }],
	['webhook subscriptions', 'webhook', { createdAfter: '2026-11-01 01:30', createdBefore: '2026-11-01 01:30' }],
	['gigs', 'gig', { from: '2026-11-01 01:30', to: '2026-11-01 01:30' }],
])(
	'filters from 01:30 to 01:30 bring the %s of both hours, in the night when clocks go back',
	async (_, resource, filters) => {
		store('gigs', 'start_datetime', BOTH_TIMES);
		for (const createdAt of BOTH_TIMES) node.service.storeForm({ createdAt });
		node.addSubscriptions(2);
		for (const [index, subscription] of [...node.service.subscriptions.values()].entries())
			subscription.created_at = BOTH_TIMES[index] ?? '';
		const settings = { timezone: 'America/New_York' };
		const parameters = { resource, operation: 'getAll', returnAll: true, filters };
		expect(await node.run(parameters, { settings })).toHaveLength(2);
	},
);
