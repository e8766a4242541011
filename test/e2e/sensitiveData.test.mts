import { randomInt, randomUUID } from 'node:crypto';
import { RECORD_TYPES, type RecordType } from '../../nodes/Argyle/api/recordTypes';
import { RECORD_TYPES as SERVED, isRecordType } from '../support/fakeArgyle/recordTypes.mts';
import { verificationProgress } from '../support/fakeArgyle/reportFiles.mts';
import type { FakeArgyle, Fault, StoredRecord } from '../support/fakeArgyle/index.mts';
import { isJson, type Json } from '../support/json.mts';
import { placesOf } from '../support/n8n/database.mts';
import { runNodes } from '../support/n8n/example.mts';
import type { FullExecution } from '../support/n8n/execution.mts';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { argyleNode, type CredentialRef, n8nNode, type SavedNode } from '../support/n8n/nodes.mts';
import { eventCases } from '../support/eventCases.mts';

/** Each sensitive value begins with it; what a mask leaves of one does not. */
const MARK = String(randomInt(80_000_000_000, 89_999_999_999));
const VALUES = new RegExp(`${MARK}\\d{5}`, 'g');

let given = 0;
const value = () => `${MARK}${String(++given).padStart(5, '0')}`;

/** What must not come out, in the shapes and under the names in which records have it. */
const sensitiveFields = (): Json => ({
	ssn: value(),
	employee_social_security_number: value(),
	birth_date: { day: 1, month: 2, year: Number(value()) },
	dateOfBirth: value(),
	recipient_tin: [value()],
	taxpayer_id: value(),
	claim_no: value(),
	account_number: Number(value()),
	employee_account_no: value(),
	card_number: value(),
	card: { name: 'Visa', number: value() },
	document_number: value(),
	"Driver's License Number": value(),
	ssn_1a: value(),
	iban: `DE${value()}`,
	reference: value(),
	warnings: [{ field_name: 'employee_ssn', message: `Not certain: ${value()}` }],
	boxes: [{ label: 'Social Security Number', raw_value: value() }],
});

function withSensitiveFields(content: unknown): unknown {
	if (Array.isArray(content)) return content.map(withSensitiveFields);
	if (!isJson(content)) return content;
	const fields = Object.entries(content).map(([name, inner]) => [name, withSensitiveFields(inner)]);
	return { ...Object.fromEntries(fields), ...sensitiveFields() };
}

const storesOf = ({ users, userForms, records }: FakeArgyle): Record<string, Map<string, StoredRecord>> => ({
	users,
	'user-forms': userForms,
	...Object.fromEntries(
		Object.keys(SERVED)
			.filter(isRecordType)
			.map((name) => [name, records.of(name)]),
	),
});

/** Puts sensitive fields into all records, wherever in them an object is. */
function addSensitiveFields(argyle: FakeArgyle): void {
	for (const store of [...Object.values(storesOf(argyle)), argyle.items])
		for (const record of store.values()) Object.assign(record, withSensitiveFields(record));
}

let fixture: N8nFixture;
let argyle: FakeArgyle;
let credential: CredentialRef;
let events: object[];

beforeAll(async () => {
	fixture = await startN8nFixture({ env: { N8N_LOG_LEVEL: 'debug' } });
	({ argyle, credential } = await fixture.connectArgyle());
	events = [...eventCases(argyle)]
		.filter(([, { says }]) => says === undefined)
		.map(([event, { data }]) => ({ event, name: 'Sensitive', data }));
	argyle.addRecords('verifications', 1, verificationProgress(randomUUID()));
	addSensitiveFields(argyle);
});
afterAll(async () => await fixture.stop());

const listOf = (name: string, items: object[]) =>
	n8nNode(name, 'code', { jsCode: `return ${JSON.stringify(items.map((json) => ({ json })))};` }, 2);

const userById = (user: string) => ({ userId: { __rl: true, mode: 'id', value: user } });

const hasFile = ({ file_url: url, report }: Json): boolean =>
	typeof url === 'string' || (isJson(report) && hasFile(report));

/** Nodes that get records in every way there is, by their names; nothing but the download of a file has no records. */
function readingNodes(includeSensitive: boolean): SavedNode[] {
	const nodes: SavedNode[] = [];
	const stores = storesOf(argyle);
	for (const simplify of [true, false]) {
		const add = (resource: string, operation: string, parameters: object) => {
			const name = `${resource} ${operation}${simplify ? ', simplified' : ''}`;
			const settings = { simplify, options: includeSensitive ? { includeSensitive } : {} };
			nodes.push(argyleNode(credential, { resource, operation, ...parameters, ...settings }, { name }));
		};
		add('event', 'getRecords', { returnAll: true });
		for (const [resource, recordType] of Object.entries<RecordType>(RECORD_TYPES)) {
			const records = [...(stores[recordType.path.replace('/v2/', '')]?.values() ?? [])];
			const { id } = records.find(hasFile) ?? records[0] ?? { id: '' };
			const byId = resource === 'user' ? userById(id) : { [`${resource}Id`]: id };
			if (!recordType.isListOnly) add(resource, 'get', byId);
			add(resource, 'getAll', { returnAll: true, filters: {} });
			if (recordType.fileFields && simplify) add(resource, 'download', { ...byId, binaryPropertyName: 'data' });
		}
	}
	return nodes;
}

async function readEverything(includeSensitive: boolean): Promise<FullExecution> {
	const nodes = readingNodes(includeSensitive);
	const to = (targets: SavedNode[]) => ({
		main: [targets.map(({ name }) => ({ node: name, type: 'main', index: 0 }))],
	});
	const ofEvents = nodes.filter(({ parameters }) => parameters.resource === 'event');
	const list = listOf('Events', events);
	const others = nodes.filter((node) => !ofEvents.includes(node));
	const connections = { Start: to([list, ...others]), Events: to(ofEvents) };
	const execution = await runNodes(fixture.client, 'Everything', [list, ...nodes], connections);
	expect(execution).toMatchObject({ status: 'success', error: undefined });
	expect(nodes.filter(({ name }) => (execution.output[name] ?? []).length === 0)).toEqual([]);
	return execution;
}

/** What fails after Argyle has sent records. */
interface Failing {
	parameters: object;
	/** Of the node before, if there is one. */
	input?: object[];
	faults?: Fault[];
}

/** One after the other, because each has faults of its own. */
async function failInTheMiddle(onError: string): Promise<FullExecution[]> {
	const { argyle: service, credential: its } = await fixture.connectArgyle();
	service.addRecords('paystubs', 250);
	addSensitiveFields(service);
	const [known] = service.users.values();
	const [gig] = service.records.of('gigs').values();
	const answers = (path: string, status: number, body: object): Fault => ({ kind: 'status', path, status, body });
	const failing: Failing[] = [
		{
			parameters: { resource: 'user', operation: 'get', ...userById('={{ $json.user }}') },
			input: [{ user: known?.id }, { user: '00000000-0000-4000-8000-000000000000' }],
		},
		{
			parameters: { resource: 'paystub', operation: 'getAll', returnAll: true, filters: {} },
			// The first page comes.
			faults: [{ kind: 'slow', path: '/v2/paystubs' }, answers('/v2/paystubs', 400, { detail: 'Invalid cursor.' })],
		},
		{
			parameters: { resource: 'gig', operation: 'getAll', returnAll: true, filters: {} },
			faults: [answers('/v2/gigs', 200, { results: gig })],
		},
		{
			parameters: { resource: 'gig', operation: 'get', gigId: gig?.id },
			faults: [answers(`/v2/gigs/${gig?.id}`, 200, [gig])],
		},
	];
	const executions: FullExecution[] = [];
	for (const { parameters, input = [{}], faults = [] } of failing) {
		for (const fault of faults) service.addFault(fault);
		const nodes = [listOf('Input', input), argyleNode(its, { ...parameters }, { onError })];
		executions.push(await runNodes(fixture.client, 'Failing', nodes));
	}
	return executions;
}

it('no sensitive value is in an item, an error or the log', async () => {
	await readEverything(false);
	const failed = await failInTheMiddle('stopWorkflow');
	expect(failed.map(({ status }) => status)).toEqual(['error', 'error', 'error', 'error']);
	const goneOn = await failInTheMiddle('continueRegularOutput');
	expect(goneOn.map(({ output }) => output.Argyle?.at(-1)?.json.error)).toEqual(failed.map(({ error }) => error));
	expect(placesOf(fixture.n8n, MARK)).toEqual([]);
}, 300_000);

it('with Include Sensitive Data, every operation puts the values out, and the same search finds them', async () => {
	const { output } = await readEverything(true);
	for (const { name } of readingNodes(true))
		expect([name, JSON.stringify(output[name]).includes(MARK)]).toEqual([name, !name.includes('download')]);
	const sent = JSON.stringify(Object.values(storesOf(argyle)).map((store) => [...store.values()])).match(VALUES);
	const found = new Set(JSON.stringify(output).match(VALUES));
	expect(sent?.length).toBeGreaterThan(1_000);
	expect(sent?.filter((each) => !found.has(each))).toEqual([]);
	expect(placesOf(fixture.n8n, MARK)).toEqual(['execution_data.data']);
}, 300_000);
