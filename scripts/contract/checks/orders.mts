import type { Json } from '../../../test/support/json.mts';
import type { AssumptionName } from '../../../test/support/fakeArgyle/assumed.mts';
import type { Check } from '../check.mts';
import { howToFill, type Probe } from '../probe.mts';
import { Undecided } from '../undecided.mts';
import { busiest } from './lists.mts';

const GET_MANY = 'nodes/Argyle/resources/records/getRecords.ts';
const EVENT_RECORDS = 'nodes/Argyle/api/eventRecords.ts';
const EVENT_LIST = 'nodes/Argyle/trigger/starts/eventList.ts';

interface Order {
	assumption: AssumptionName;
	path: string;
	/** @default 'created_at' */
	field?: string;
	dependants: string[];
	/** Whether it is the list of one account that is looked at. */
	isOfAccount?: boolean;
}

const ofAccount = (assumption: AssumptionName, path: string, field: string, dependants: string[]): Order => ({
	...{ assumption, path, field, dependants, isOfAccount: true },
});

const ORDERS: Order[] = [
	{ assumption: 'usersOrder', path: '/v2/users', dependants: [GET_MANY, 'nodes/Argyle/listSearch/pickers.ts'] },
	{ assumption: 'userFormsOrder', path: '/v2/user-forms', dependants: [GET_MANY, EVENT_LIST] },
	{ assumption: 'accountsOrder', path: '/v2/accounts', dependants: [GET_MANY, EVENT_LIST] },
	ofAccount('identitiesOrder', '/v2/identities', 'created_at', [GET_MANY]),
	ofAccount('paystubsOrder', '/v2/paystubs', 'paystub_date', [GET_MANY, EVENT_RECORDS]),
	ofAccount('gigsOrder', '/v2/gigs', 'start_datetime', [GET_MANY, EVENT_RECORDS]),
	ofAccount('shiftsOrder', '/v2/shifts', 'start_datetime', [GET_MANY, EVENT_RECORDS]),
	ofAccount('payrollDocumentsOrder', '/v2/payroll-documents', 'available_date', [GET_MANY]),
	{ assumption: 'userUploadsOrder', path: '/v2/user-uploads', dependants: [GET_MANY, EVENT_LIST] },
	{ assumption: 'reportsOrder', path: '/v2/reports', dependants: [GET_MANY, EVENT_RECORDS, EVENT_LIST] },
	{ assumption: 'verificationsOrder', path: '/v2/verifications', dependants: [GET_MANY, EVENT_LIST] },
];

/** Throws Undecided unless there are records of two times. */
export function orderOf(records: Json[], field: string, path: string): string {
	const times = records.map((record) => Date.parse(String(record[field]))).filter((time) => !Number.isNaN(time));
	if (new Set(times).size < 2)
		throw new Undecided(`${path} has no two records with different ${field}.`, howToFill(path));
	const pairs = times.slice(1).map((time, index) => time - (times[index] ?? 0));
	if (pairs.every((step) => step <= 0)) return 'newest first';
	return pairs.every((step) => step >= 0) ? 'oldest first' : 'in no order of it';
}

async function listOf(probe: Probe, { path, isOfAccount = false }: Order): Promise<Json[]> {
	const all = await probe.atLeast(2, path);
	if (!isOfAccount) return all;
	const account = busiest(all);
	if (account === undefined) throw new Undecided(`No account has two records in ${path}.`, howToFill(path));
	return await probe.page(path, { account });
}

export const ORDER_CHECKS: Check[] = ORDERS.map((order) => ({
	assumption: order.assumption,
	dependants: order.dependants,
	see: async (probe) => orderOf(await listOf(probe, order), order.field ?? 'created_at', order.path),
}));
