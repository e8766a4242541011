import { randomUUID } from 'node:crypto';
import { SAMPLE_EVENT } from '../../nodes/Argyle/trigger/starts/testEvent';
import type { RecordTypeName } from '../support/fakeArgyle/recordTypes.mts';
import type { StoredRecord } from '../support/fakeArgyle/types.mts';
import { useFakeTime } from '../support/fakeTime.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

const owner = { user: randomUUID(), account: randomUUID() };
const item = (event: string, data: object) => ({ json: { event, name: 'Income checks', data: { ...owner, ...data } } });

async function recordsOf(event: string, data: object, parameters: object = {}) {
	const items = await node.run(
		{ resource: 'event', operation: 'getRecords', returnAll: true, simplify: false, ...parameters },
		{ items: [item(event, data)] },
	);
	return items.map(({ json }) => json);
}

const idsOf = (records: object[]) => records.map((record) => ('id' in record ? String(record.id) : ''));
const add = (name: RecordTypeName, count: number, fields?: object) =>
	node.service.records.add(name, count, owner, fields);
const asked = () => node.service.requests.map(({ path, query }) => path.replace('/v2/', '') + query);

/** Adds records with these dates, oldest first. */
const addDated = (name: RecordTypeName, field: string, dates: string[]) =>
	dates.flatMap((date) => add(name, 1, { [field]: date }));

describe('Event Get Records, of an event with an ID', () => {
	it('says of the sample that a test of the trigger brings what it is, before a request', async () => {
		const { event, data } = SAMPLE_EVENT;
		const { message, description } = await failure(recordsOf(event, data));
		expect(message).toBe("The event is a sample, which Argyle doesn't have [item 0]");
		expect(description).toMatch(
			/^Let such an event happen .* execute the trigger again\. If the sample is pinned there/,
		);
		expect(node.service.requests).toEqual([]);
	});

	it('user_forms.submitted adds the user of the event to the form, which has none', async () => {
		const [form] = [...node.service.userForms.values()];
		const [record] = await recordsOf('user_forms.submitted', { user_form: form?.id });
		expect(record).toEqual({ ...form, user: owner.user });
	});

	it.each(['completed', 'failed'])(
		'direct_deposit_switches.%s without a destination gets the account, which has the state of the switch',
		async (change) => {
			add('vehicles', 1);
			const [record] = await recordsOf(`direct_deposit_switches.${change}`, { deposit_destination: null });
			expect(record).toMatchObject({ id: owner.account, direct_deposit_switch: { status: 'idle' } });
		},
	);

	it.each(['vehicles.added', 'user_forms.submitted'])(
		'%s asks once more after some seconds when Argyle does not have the record yet',
		async (event) => {
			const waits = useFakeTime();
			const [vehicle] = add('vehicles', 1);
			const [form] = [...node.service.userForms.values()];
			node.service.addFault({ kind: 'status', status: 404, path: /vehicles|user-forms/ });
			const records = await recordsOf(event, { vehicle: vehicle?.id, user_form: form?.id });
			expect(records).toHaveLength(1);
			expect(asked()).toHaveLength(2);
			expect(waits).toEqual([3_000]);
		},
	);

	it('a record that is still missing after that is told by its ID', async () => {
		const waits = useFakeTime();
		const vehicle = randomUUID();
		const message = `Argyle could not find the vehicle ${vehicle} [item 0]`;
		expect((await failure(recordsOf('vehicles.added', { vehicle }))).message).toBe(message);
		expect(asked()).toHaveLength(2);
		expect((await failure(recordsOf('vehicles.updated', { vehicle }))).message).toBe(message);
		expect(asked()).toHaveLength(3);
		expect(waits).toEqual([3_000]);
	});
});

describe('Event Get Records, of an event with a range', () => {
	const DATES = ['10-28', '10-30', '11-01', '11-02', '11-03', '11-04'].map((day) => `2026-${day}T00:00:00Z`);

	it('paystubs.fully_synced gets the paystubs of its range only, the days at both its edges whole', async () => {
		const paystubs = addDated('paystubs', 'paystub_date', DATES);
		const range = { available_from: '2026-11-01T12:00:00Z', available_to: '2026-11-03T00:00:00Z', available_count: 3 };
		const records = await recordsOf('paystubs.fully_synced', range);
		expect(idsOf(records)).toEqual(idsOf(paystubs.slice(2, 5)).reverse());
		expect(asked()).toHaveLength(1);
		expect(asked()[0]).toContain(`account=${owner.account}&from_start_date=2026-11-01T00%3A00%3A00.000Z`);
	});

	it('gigs.partially_synced gets the gigs from the first moment of its range to the last', async () => {
		const times = ['2026-11-02T09:59:59Z', '2026-11-02T10:00:00Z', '2026-11-02T13:30:00Z', '2026-11-02T13:30:01Z'];
		const gigs = addDated('gigs', 'start_datetime', times);
		const range = { available_from: times[1], available_to: times[2], available_count: 2 };
		expect(idsOf(await recordsOf('gigs.partially_synced', range))).toEqual(idsOf([gigs[2], gigs[1]] as StoredRecord[]));
		const days = { available_from: '2026-11-02', available_to: '2026-11-02', available_count: 4 };
		expect(await recordsOf('gigs.partially_synced', days)).toHaveLength(4);
	});

	it('shifts.added gets as many as the event counts, the newest by their creation, in the order of Argyle', async () => {
		const day = { start_datetime: '2026-11-02T10:00:00Z' };
		const [newest] = add('shifts', 1, { ...day, start_datetime: '2026-11-01T10:00:00Z' });
		add('shifts', 2, { ...day, created_at: '2026-10-01T00:00:00.5Z' });
		const [second] = add('shifts', 1, { ...day, created_at: '2026-10-01T00:00:01Z' });
		const range = { added_from: '2026-11-01T00:00:00Z', added_to: '2026-11-03T00:00:00Z', added_count: 2 };
		expect(idsOf(await recordsOf('shifts.added', range))).toEqual([second?.id, newest?.id]);
		expect(await recordsOf('shifts.added', range, { returnAll: false, limit: 1 })).toHaveLength(1);
		expect(await recordsOf('shifts.added', { ...range, added_count: undefined })).toHaveLength(4);
	});

	it('an event whose range is unknown gets the records of its account', async () => {
		add('gigs', 3);
		node.service.records.add('gigs', 2, { user: owner.user, account: randomUUID() });
		const records = await recordsOf('gigs.fully_synced', { available_from: null, available_to: null });
		expect(records).toHaveLength(3);
	});

	it.each([
		['gigs.partially_synced', { available_from: null, available_to: null, available_count: 0 }],
		['paystubs.added', { added_count: 0 }],
		['shifts.updated', { updated_shifts: [] }],
	])('%s that counts no records gets none, without a request', async (event, data) => {
		expect(await recordsOf(event, data)).toEqual([]);
		expect(asked()).toEqual([]);
	});

	it('gets 2,503 gigs in 13 pages in the order of Argyle, and asks for no more pages than Limit needs', async () => {
		const gigs = add('gigs', 2_503);
		const range = {
			available_from: gigs[2_502]?.start_datetime,
			available_to: gigs[0]?.start_datetime,
			available_count: 2_503,
		};
		expect(idsOf(await recordsOf('gigs.fully_synced', range))).toEqual(idsOf(gigs));
		expect(asked()).toHaveLength(13);
		const limited = await recordsOf('gigs.fully_synced', range, { returnAll: false, limit: 250 });
		expect(idsOf(limited)).toEqual(idsOf(gigs.slice(0, 250)));
		expect(asked()).toHaveLength(15);
	});

	it('an event whose records are nowhere is told, because it may be of another environment', async () => {
		const waits = useFakeTime();
		const { message, description } = await failure(recordsOf('paystubs.added', { added_count: 2 }));
		expect(message).toBe('Argyle has none of the paystubs that the event paystubs.added speaks of [item 0]');
		expect(description).toContain('environment');
		expect(waits).toEqual([3_000]);
	});

	it('an event that names no account asks for nothing, and not for the records of all people', async () => {
		expect(await node.refusalOf(recordsOf('paystubs.fully_synced', { account: undefined }))).toBe(
			'The event paystubs.fully_synced names no account [item 0]',
		);
	});
});

describe('Event Get Records, of an event with a list of IDs', () => {
	it('paystubs.updated gets the named ones with one request for the list', async () => {
		const paystubs = add('paystubs', 5);
		const updated_paystubs = idsOf([paystubs[3], paystubs[1]] as StoredRecord[]);
		const range = { updated_from: paystubs[4]?.paystub_date, updated_to: paystubs[0]?.paystub_date };
		const records = await recordsOf('paystubs.updated', { updated_paystubs, ...range, updated_count: 2 });
		expect(idsOf(records)).toEqual([...updated_paystubs].reverse());
		expect(asked()).toHaveLength(1);
	});

	it('gets one by one what the list left out, and leaves out what was removed since', async () => {
		const gigs = add('gigs', 4);
		const updated_gigs = [...idsOf(gigs.slice(0, 3)), randomUUID()];
		const range = { updated_from: gigs[1]?.start_datetime, updated_to: gigs[1]?.start_datetime };
		node.service.records
			.of('gigs')
			.set(updated_gigs[2] ?? '', { ...gigs[2], start_datetime: '2026-01-01T00:00:00Z' } as StoredRecord);
		const records = await recordsOf('gigs.updated', { updated_gigs, ...range });
		expect(idsOf(records).sort()).toEqual(updated_gigs.slice(0, 3).sort());
		expect(asked().filter((path) => path.startsWith('gigs/'))).toHaveLength(3);
	});

	it('stops reading a long list when single requests cost no more', async () => {
		const gigs = add('gigs', 1_000);
		const updated_gigs = idsOf(gigs.slice(-2));
		expect(idsOf(await recordsOf('gigs.updated', { updated_gigs }))).toEqual(updated_gigs);
		expect(asked()).toHaveLength(4);
		expect(idsOf(await recordsOf('gigs.updated', { updated_gigs: updated_gigs.slice(0, 1) }))).toHaveLength(1);
		expect(asked()).toHaveLength(5);
	});

	it('stops at Limit', async () => {
		const gigs = add('gigs', 10);
		const limited = { returnAll: false, limit: 2 };
		expect(idsOf(await recordsOf('gigs.updated', { updated_gigs: idsOf(gigs) }, limited))).toEqual(
			idsOf(gigs.slice(0, 2)),
		);
		expect(asked()).toHaveLength(1);
	});

	it('shifts.updated without a list of IDs gets as many as it counts, the newest by their change', async () => {
		const [, changed] = add('shifts', 3).map((shift, index) => {
			if (index === 1) shift.updated_at = '2026-11-20T00:00:00Z';
			return shift;
		});
		expect(idsOf(await recordsOf('shifts.updated', { updated_count: 1 }))).toEqual([changed?.id]);
	});
});

describe('Event Get Records, of an event on reports', () => {
	it('reports.ready gets the accounts that it names, or all of its user', async () => {
		const accounts = [randomUUID(), randomUUID(), randomUUID()];
		for (const account of accounts) node.service.records.addAccount({ user: owner.user, account });
		const ready = async (data: object) =>
			idsOf(await recordsOf('reports.ready', { account: undefined, ...data })).sort();
		const [first] = accounts;
		expect(await ready({})).toEqual([...accounts].sort());
		expect(await ready({ resource: { accounts: [{ id: first }] } })).toEqual([first]);
		expect(await ready({ accounts: [first] })).toEqual([first]);
	});

	// The second name is the older one, which Argyle means to drop.
	it.each([
		['created_at', {}],
		['generated_at', { created_at: undefined }],
	])('reports.generated without an ID gets the newest generated report of its type, by %s', async (field, gone) => {
		await node.start({ listOrder: 'oldestFirst' });
		const generated = (day: string, type: string, status = 'generated') =>
			add('reports', 1, { ...gone, type, status, [field]: `2026-11-${day}T00:00:00Z` })[0];
		generated('01', 'voie');
		const report = generated('02', 'voie');
		generated('03', 'voe');
		generated('04', 'voie', 'generating');
		expect(idsOf(await recordsOf('reports.generated', { type: 'voie' }))).toEqual([report?.id]);
		expect(idsOf(await recordsOf('reports.generated', { resource: { id: report?.id } }))).toEqual([report?.id]);
	});
});

describe('Event Get Records', () => {
	const parameters = { resource: 'event', operation: 'getRecords', returnAll: true };

	it('takes the delivery of a Webhook node for an event', async () => {
		const [vehicle] = add('vehicles', 1);
		const { json: body } = item('vehicles.added', { vehicle: vehicle?.id });
		const items = await node.run(parameters, { items: [{ json: { headers: {}, body } }] });
		expect(items[0]?.json.id).toBe(vehicle?.id);
	});

	it('masks and simplifies each record by its record type, and pairs it with its event', async () => {
		const [[identity], [rating]] = [add('identities', 1), add('ratings', 1)];
		const events = [
			item('identities.added', { identity: identity?.id }),
			item('gigs.added', { added_count: 0 }),
			item('ratings.added', { rating: rating?.id }),
		];
		const run = async (more: object) => await node.run({ ...parameters, ...more }, { items: events });
		const simple = await run({});
		expect(simple.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(simple[0]?.json).toHaveProperty('full_name');
		expect(simple[0]?.json).not.toHaveProperty('ssn');
		expect(simple[1]?.json).toEqual(rating);
		expect((await run({ simplify: false }))[0]?.json).toEqual({ ...identity, ssn: '•••', birth_date: '•••' });
		const whole = await run({ simplify: false, options: { includeSensitive: true } });
		expect(whole[0]?.json).toEqual(identity);
	});
});
