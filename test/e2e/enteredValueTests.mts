import type { FakeArgyle } from '../support/fakeArgyle/index.mts';
import type { FullExecution } from '../support/n8n/execution.mts';
import { argyleNode, type CredentialRef, generateReceipt, n8nNode, type SavedNode } from '../support/n8n/nodes.mts';

interface Tools {
	/** Runs these nodes, one behind the other, after a node "Start". */
	run(name: string, nodes: SavedNode[]): Promise<FullExecution>;
	connect(): Promise<{ argyle: FakeArgyle; credential: CredentialRef }>;
}

/** What an empty cell, a field that isn't there, or a choice that was not made comes to. */
const NOTHING = [{ id: '' }, { id: ' ' }, { id: null }, {}, { id: [] }, { id: ['', null] }, { id: { value: '' } }];

function rows(items: object[]): SavedNode {
	const jsCode = `return ${JSON.stringify(items)}.map((json) => ({ json }));`;
	return n8nNode('Rows', 'code', { jsCode }, 2);
}

const GOES_ON = { onError: 'continueRegularOutput' };

/** By n8n's own ways from an expression to the node: only a real n8n has its default engine. */
export function enteredValueTests({ run, connect }: Tools): void {
	it('a person whose cell is empty gets nobody else’s receipt', async () => {
		const { argyle, credential } = await connect();
		const [owner] = [...argyle.users.values()].filter((user) => user.external_id === 'crm-1002');
		const filters = { externalId: '={{ $json.id }}' };
		const find = { resource: 'user', operation: 'getAll', returnAll: false, limit: 1, filters };
		const all = [{ id: 'crm-1002' }, ...NOTHING];
		const { output } = await run('Receipts', [
			rows(all),
			argyleNode(credential, find, { name: 'Users', ...GOES_ON }),
			generateReceipt(credential, '={{ $json.id }}', { name: 'Receipts', ...GOES_ON }),
		]);
		expect(output.Users?.map(({ json }) => json.error)).toEqual([
			undefined,
			...NOTHING.map((_, index) => `The filter External ID has no value [item ${index + 1}]`),
		]);
		expect(output.Receipts?.map(({ binary }) => binary !== undefined)).toEqual(all.map((_, index) => index === 0));
		expect(argyle.requests).toMatchObject([
			{ path: '/v2/users', query: '?external_id=crm-1002&limit=200' },
			{ path: '/v2/receipts', body: { user: owner?.id } },
		]);
	});

	it('an ID of which n8n finds one part only is nobody’s, in whatever way its parts are put together', async () => {
		const { argyle, credential } = await connect();
		const parts = ['{{ $json.tenant }}-{{ $json.id }}', "{{ $json.tenant + '-' + ($json.id ?? '') }}"];
		const nodes = parts.map((expression, index) => {
			const upsert = { resource: 'user', operation: 'upsert', externalId: `=${expression}`, additionalFields: {} };
			return argyleNode(credential, upsert, { name: `Upsert ${index}`, ...GOES_ON });
		});
		const items = rows([{ tenant: 'acme', id: '' }]);
		for (const node of nodes) {
			const { output } = await run('Parts', [items, node]);
			expect(output[node.name]).toMatchObject([{ json: { error: 'A part of External ID is missing [item 0]' } }]);
		}
		expect(argyle.requests).toEqual([]);
	});

	const DAYS = [
		"'1980-10-30'",
		"'1980-10-30T00:00:00Z'",
		"new Date('1980-10-30').toISOString()",
		"new Date('1980-10-30')",
		"DateTime.fromISO('1980-10-30')",
		"DateTime.fromJSDate(new Date('1980-10-30'))",
		"'1980-10-30 00:00:00'",
		"'1980-10-30T00:00:00'",
		"DateTime.fromFormat('10/30/1980', 'MM/dd/yyyy').toISODate()",
		"DateTime.fromISO('1899-12-30').plus({ days: 29524 }).toISODate()",
		"DateTime.fromISO('1899-12-30').plus({ days: '29524' }).toISODate()",
	];

	it("a birth date stays the day that it is, whichever way it comes, in n8n's default time zone", async () => {
		const { argyle, credential } = await connect();
		const birthDate = `={{ [${DAYS.map((day) => `() => ${day}`).join(', ')}][$json.index]() }}`;
		const create = { resource: 'user', operation: 'create', additionalFields: { birthDate } };
		const { error } = await run('Days', [rows(DAYS.map((_, index) => ({ index }))), argyleNode(credential, create)]);
		expect(error).toBeUndefined();
		const created = argyle.requests.filter(({ method }) => method === 'POST');
		expect(created.map(({ body }) => body)).toEqual(
			DAYS.map(() => ({ birth_date: { year: 1980, month: 10, day: 30 } })),
		);
	});
}
