import { isJson, type Json } from '../../../test/support/json.mts';
import { type Check, checksThatNeed } from '../check.mts';
import { howToFill, pathOf, type Probe, recordsIn } from '../probe.mts';
import { Undecided } from '../undecided.mts';
import { busiest, shapeOf } from './lists.mts';

const reading = checksThatNeed();

const DAY_MS = 24 * 3_600_000;

const FILTERS = 'nodes/Argyle/api/filters.ts';
const FILES = ['nodes/Argyle/api/files.ts', 'nodes/Argyle/transport/fileAddress.ts'];
const EVENT_SOURCES = ['nodes/Argyle/api/eventSources.ts'];
const COMPLETE_EVENT = 'nodes/Argyle/trigger/starts/completeEvent.ts';

const yesOrNo = (isSo: boolean) => (isSo ? 'yes' : 'no');

const timeOf = ({ paystub_date: date }: Json) => Date.parse(String(date));

interface Paystubs {
	account: string;
	list: Json[];
}

async function paystubs(probe: Probe): Promise<Paystubs> {
	const account = busiest(await probe.records('/v2/paystubs'));
	if (account === undefined) throw new Undecided('No account has two paystubs.', howToFill('/v2/paystubs'));
	const list = await probe.page('/v2/paystubs', { account });
	return { account, list: list.sort((one, other) => timeOf(other) - timeOf(one)) };
}

/** A paystub, and the edge of the day after it, which is not after the next. */
async function beforeEdge(probe: Probe): Promise<{ account: string; id: unknown; edge: string }> {
	const { account, list } = await paystubs(probe);
	for (const [index, newer] of list.entries()) {
		const older = list[index + 1];
		if (older === undefined) break;
		const edge = (Math.floor(timeOf(older) / DAY_MS) + 1) * DAY_MS;
		if (edge <= timeOf(newer)) return { account, id: older.id, edge: new Date(edge).toISOString() };
	}
	throw new Undecided('No account has paystubs of two days.', howToFill('/v2/paystubs'));
}

const holds = (records: Json[], id: unknown) => records.some((record) => record.id === id);

/** The path of a file, at the service that is asked: its own host may be named whoever asks. */
async function pathOfFile(probe: Probe, paths: [string, ...string[]], field = 'file_url'): Promise<string> {
	for (const path of paths) {
		const records = (await probe.records(path)).filter(({ status = 'generated' }) => status === 'generated');
		const address = records.map((record) => record[field]).find((url) => typeof url === 'string' && url !== '');
		if (typeof address !== 'string') continue;
		const url = new URL(/^https?:\/\//.test(address) ? address : `https://${address}`);
		if (url.origin === probe.target.origin || url.hostname.endsWith('argyle.com')) return url.pathname + url.search;
	}
	throw new Undecided('No record leads to a file at Argyle.', howToFill(paths[0]));
}

async function wayToFile(probe: Probe, ...paths: [string, ...string[]]): Promise<string> {
	const { status, headers } = await probe.askForHead(await pathOfFile(probe, paths));
	if (status < 300 || status >= 400) return status === 200 ? 'the file' : String(status);
	const [, host = ''] = /^https:\/\/([^/]+)/.exec(headers.get('location') ?? '') ?? [];
	// The nodes send the key to the API's own hosts alone.
	const mayWantKey = host.endsWith('.argyle.com') && !/^api(-sandbox)?\.argyle\.com$/.test(host);
	return mayWantKey ? `a redirect to ${host}, which may want the key` : 'a redirect';
}

/** Follows one redirect, if it leads to the same host. */
async function kindOfReportJson(probe: Probe): Promise<string> {
	const path = await pathOfFile(probe, ['/v2/reports'], 'json_url');
	const first = await probe.ask('GET', path);
	const next = first.headers.get('location');
	if (next !== null && new URL(next, probe.target.origin).origin !== probe.target.origin)
		throw new Undecided('The JSON of a report is at another host.');
	const { status, body } =
		next === null ? first : await probe.ask('GET', pathOf(new URL(next, probe.target.origin).href));
	if (status !== 200) return String(status);
	return Array.isArray(body) ? 'a list' : isJson(body) ? 'an object' : 'neither an object nor a list';
}

const HALF_AN_HOUR_MS = 1_800_000;

/** Looks at accounts that were scanned again, long after they were made. */
async function movesWithScans(probe: Probe, part: 'connection' | 'direct_deposit_switch'): Promise<string> {
	const accounts = (await probe.records('/v2/accounts')).flatMap((account) => {
		const { [part]: value, scanned_at: scanned, created_at: created } = account;
		const [atPart, atScan, atCreation] = [isJson(value) && value.updated_at, scanned, created].map(parsedTime);
		return atScan - atCreation > HALF_AN_HOUR_MS && !Number.isNaN(atPart) ? [{ sinceChange: atScan - atPart }] : [];
	});
	if (accounts.length === 0)
		throw new Undecided('No account was scanned again.', 'Simulate new data of one (Account: Simulate New Data).');
	return yesOrNo(accounts.every(({ sinceChange }) => sinceChange < HALF_AN_HOUR_MS));
}

const parsedTime = (time: unknown) => Date.parse(String(time));

export const RECORD_CHECKS: Check[] = [
	reading('externalIdFilter', ['nodes/Argyle/listSearch/pickers.ts', FILTERS], async (probe) => {
		const users = await probe.records('/v2/users');
		const user = users.find(({ external_id: id }) => typeof id === 'string' && id.length >= 2);
		if (user === undefined) throw new Undecided('No user has an external ID.', 'Create one (User: Create).');
		const id = String(user.external_id);
		if (!holds(await probe.page('/v2/users', { external_id: id }), user.id)) return 'none';
		const isFound = holds(await probe.page('/v2/users', { external_id: id.slice(0, -1) }), user.id);
		return isFound ? 'those whose ID begins with it' : 'those with exactly this ID';
	}),
	reading('itemsByIds', ['nodes/Argyle/api/employers.ts'], async (probe) => {
		const ids = (await probe.atLeast(2, '/v2/items')).map(({ id }) => String(id));
		const { status, body } = await probe.ask('GET', '/v2/items', { query: { id: ids.join(','), limit: '200' } });
		return yesOrNo(status === 200 && recordsIn(body)?.length === ids.length);
	}),
	reading('formsOfUser', [FILTERS], async (probe) => {
		const forms = await probe.atLeast(2, '/v2/user-forms');
		const users = new Map<unknown, unknown>();
		for (const account of new Set(forms.map((form) => String(form.account)))) {
			const { body } = await probe.ask('GET', `/v2/accounts/${account}`);
			users.set(account, isJson(body) ? body.user : undefined);
			if (new Set(users.values()).size > 1) break;
		}
		const [user, ...others] = new Set([...users.values()].filter((found) => typeof found === 'string'));
		if (typeof user !== 'string' || others.length === 0)
			throw new Undecided('There are no forms of two users.', howToFill('/v2/user-forms'));
		const found = await probe.page('/v2/user-forms', { user });
		const isForeign = found.some(({ account }) => users.has(account) && users.get(account) !== user);
		return isForeign ? 'all' : found.length === 0 ? 'none' : "those of the user's accounts";
	}),
	reading('earlyPaystubs', [FILTERS], async (probe) => {
		const { account, id, edge } = await beforeEdge(probe);
		return yesOrNo(holds(await probe.page('/v2/paystubs', { account, from_start_date: edge }), id));
	}),
	reading('lastPaystub', [FILTERS, 'nodes/Argyle/api/eventRecords.ts'], async (probe) => {
		const { account, list } = await paystubs(probe);
		const [newest] = list;
		const to_start_date = String(newest?.paystub_date);
		return yesOrNo(holds(await probe.page('/v2/paystubs', { account, to_start_date }), newest?.id));
	}),
	reading('plainDates', ['nodes/Argyle/resources/records/filterFields.ts'], async (probe) => {
		const { status } = await probe.ask('GET', '/v2/paystubs', { query: { from_start_date: '2020-01-01' } });
		return status === 200 ? 'yes' : status === 400 ? 'no' : String(status);
	}),
	reading('userOfForm', [COMPLETE_EVENT], async (probe) =>
		yesOrNo('user' in (await probe.atLeast(1, '/v2/user-forms'))[0]),
	),
	reading('userOfAccount', [COMPLETE_EVENT], async (probe) =>
		yesOrNo(typeof (await probe.atLeast(1, '/v2/accounts'))[0].user === 'string'),
	),
	reading('idleAccount', ['nodes/Argyle/api/connectionLost.ts'], async (probe) => {
		const accounts = await probe.records('/v2/accounts');
		// That of one which was never scanned is null, or in 1970.
		const scanned = accounts.filter(({ scanned_at: at }) => typeof at === 'string' && Date.parse(at) > 0);
		if (scanned.length === 0) throw new Undecided('No account was ever scanned.', howToFill('/v2/accounts'));
		const isIdle = ({ ongoing_refresh: refresh }: Json) => isJson(refresh) && refresh.status === 'idle';
		return scanned.some(isIdle) ? 'others too' : 'those that were never connected';
	}),
	reading(
		'precisionOfForms',
		['nodes/Argyle/trigger/state/starts.ts', 'nodes/Argyle/trigger/starts/missedEvents.ts'],
		async (probe) => {
			const forms = await probe.atLeast(1, '/v2/user-forms');
			const isPrecise = forms.some(({ created_at: time }) => /\.\d{3,}/.test(String(time)));
			return isPrecise ? 'milliseconds or finer' : 'whole seconds';
		},
	),
	reading(
		'creationOfPaystubs',
		['nodes/Argyle/api/eventRules.ts', 'nodes/Argyle/api/eventRecords.ts'],
		async (probe) => {
			const [paystub] = await probe.atLeast(1, '/v2/paystubs');
			return yesOrNo(!Number.isNaN(Date.parse(String(paystub.created_at))));
		},
	),
	reading('employmentById', ['nodes/Argyle/api/recordTypes.ts'], async (probe) => {
		const [{ id }] = await probe.atLeast(1, '/v2/employments');
		const { status } = await probe.ask('GET', `/v2/employments/${String(id)}`);
		return status === 200 ? 'yes' : status === 404 || status === 405 ? 'no' : String(status);
	}),
	reading('shapeOfEmployments', ['nodes/Argyle/api/pagination.ts'], async (probe) => {
		const { body } = await probe.ask('GET', '/v2/employments', { query: { limit: '200' } });
		if (recordsIn(body) === undefined) throw new Undecided('/v2/employments sent no list.');
		return shapeOf(body);
	}),
	reading('addressOfDocument', ['nodes/Argyle/transport/fileAddress.ts'], async (probe) => {
		const documents = await probe.atLeast(1, '/v2/payroll-documents');
		const address = documents.map(({ file_url }) => file_url).find((url) => typeof url === 'string');
		if (address === undefined)
			throw new Undecided('No payroll document has a file.', howToFill('/v2/payroll-documents'));
		return yesOrNo(/^https?:\/\//.test(String(address)));
	}),
	reading('wayToFile', FILES, async (probe) => await wayToFile(probe, '/v2/reports', '/v2/user-uploads')),
	reading('wayToDocument', FILES, async (probe) => await wayToFile(probe, '/v2/payroll-documents')),
	reading('reportJson', ['nodes/Argyle/api/fileFields.ts'], kindOfReportJson),
	reading('timeOfConnection', EVENT_SOURCES, async (probe) => await movesWithScans(probe, 'connection')),
	reading('timeOfDepositSwitch', EVENT_SOURCES, async (probe) => await movesWithScans(probe, 'direct_deposit_switch')),
];
