import { ExecuteContext } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';
import { item } from '../support/fakeArgyle/seed.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

const search = async (parameters: object) =>
	await node.run({ resource: 'employer', operation: 'search', returnAll: true, filters: {}, ...parameters });

const namesOf = (items: Array<{ json: IDataObject }>) => items.map(({ json }) => json.name);
const asked = () => node.service.requests.map(({ path, query }) => path + query);

function addEmployers(count: number): void {
	for (let index = 0; index < count; index++) {
		const id = `item_${String(100_000 + index).padStart(9, '0')}`;
		node.service.items.set(id, item(id, `Taxi Number ${index}`));
	}
}

describe('Employer Search', () => {
	it('puts out the employers that Argyle finds, the best match first, misspelled ones too', async () => {
		const found = await search({ searchText: ' whole goods ' });
		expect(namesOf(found)).toEqual(['Whole Goods', 'Whole Good']);
		expect(found[0]?.json).toEqual({
			id: 'item_000001422',
			name: 'Whole Goods',
			logo_url: 'https://argyle.example.com/item_000001422.png',
			kind: 'employer',
			mapping_status: 'verified',
			status: 'healthy',
		});
		expect(asked()).toEqual(['/v2/employer-search?q=whole%20goods&limit=200']);
	});

	it('without a text puts out all that the filters leave, on all pages, and no group', async () => {
		addEmployers(450);
		for (const group of [...node.service.items.values()].slice(-2)) group.is_grouping = true;
		const found = await search({ searchText: '', filters: { kind: 'employer' } });
		expect(found).toHaveLength(451);
		expect(found.at(0)?.json).toMatchObject({
			...{ id: 'item_000001422', is_grouping: false, known_limitations: 'First 5 digits of SSN obfuscated.' },
		});
		expect(asked()[0]).toBe('/v2/items?kind=employer&limit=200');
		expect(await search({ searchText: '', returnAll: false, limit: 3 })).toHaveLength(3);
	});

	it.each<[object, string, string[]]>([
		[{ kind: 'gig' }, 'kind=gig', ['GigAndGo']],
		[{ status: ['healthy', 'issues'] }, 'status=healthy%2Cissues', ['GigAndGo']],
		[{ status: 'unavailable' }, 'status=unavailable', []],
		[{ mappingStatus: ['verified'] }, 'mapping_status=verified', ['GigAndGo']],
		[{ mappingStatus: 'mapped, Unmapped' }, 'mapping_status=mapped%2Cunmapped', []],
		[{ status: [] }, 'limit=200', ['GigAndGo']],
	])('with the filter %p asks for %s', async (filters, query, names) => {
		expect(namesOf(await search({ searchText: 'GigAndGo', filters }))).toEqual(names);
		expect(asked()[0]).toContain(query);
	});

	it.each([
		['yes', 450, 0],
		['no', 200, 1],
	] as const)(
		'with links to further pages: %s, Return All puts out %i of 450 employers, with %i hint that there may be more',
		async (searchLinks, count, hintCount) => {
			const hints = jest.spyOn(ExecuteContext.prototype, 'addExecutionHints');
			addEmployers(450);
			node.service.assumed.searchLinks = searchLinks;
			expect(await search({ searchText: 'taxi number' })).toHaveLength(count);
			expect(hints).toHaveBeenCalledTimes(hintCount);
		},
	);

	it.each([
		[{ searchText: ' ' }, 'Search Text is missing'],
		[{ searchText: '={{ $json.userForm?.data }}' }, 'Search Text is missing'],
		[{ searchText: '={{ "" }}' }, 'Search Text is missing'],
		[{ searchText: 'taxi', filters: { kind: 'taxi' } }, 'The filter Kind can\'t be "taxi"'],
		[{ searchText: 'taxi', filters: { kind: '522-09-1191' } }, 'The filter Kind can\'t be "•••"'],
		[{ searchText: 'taxi', filters: { kind: 'gig, employer' } }, 'The filter Kind takes one value'],
		[{ searchText: 'taxi', filters: { status: ['healthy', 'gone'] } }, 'The filter Status can\'t be "gone"'],
	])('with %p sends nothing and says: %s', async (parameters, message) => {
		expect(await node.refusalOf(search(parameters))).toBe(`${message} [item 0]`);
	});
});

describe('searchEmployers', () => {
	it('lists employers by name, and says what stands in the way of a connection', async () => {
		expect((await node.search('searchEmployers')).results).toEqual([
			{ name: 'Whole Goods', value: 'item_000001422' },
			{ name: 'GigAndGo · gig', value: 'item_000041078' },
			{ name: 'Whole Good · payroll system not known', value: 'item_000052310' },
			{ name: 'Harbour Bakery · issues', value: 'item_000063005' },
		]);
	});

	it('lists the second page too, and no group of employers', async () => {
		addEmployers(450);
		for (const group of [...node.service.items.values()].slice(0, 4)) group.is_grouping = true;
		const pages = await node.searchPages('searchEmployers');
		expect(pages.map(({ results }) => results.length)).toEqual([196, 200, 54]);
	});

	it('has Argyle search for a text, on one page or, where it has more, on several', async () => {
		addEmployers(450);
		expect((await node.search('searchEmployers', ' Taxi Number ')).results).toHaveLength(200);
		expect(asked()[0]).toBe('/v2/employer-search?q=Taxi%20Number&limit=200');
		node.service.assumed.searchLinks = 'yes';
		const first = await node.search('searchEmployers', 'Taxi Number');
		const second = await node.search('searchEmployers', 'Taxi Number', first.paginationToken);
		expect([first.results.length, second.results.length]).toEqual([200, 200]);
		expect(second.results[0]?.value).not.toBe(first.results[0]?.value);
	});

	it('leaves groups out where a text is typed, too', async () => {
		addEmployers(20);
		const groups = [...node.service.items.values()].slice(-2);
		for (const group of groups) group.is_grouping = true;
		const { results } = await node.search('searchEmployers', 'taxi number');
		expect(results).toHaveLength(18);
		expect(results.map(({ value }) => value)).not.toContain(groups[0]?.id);
		expect(asked()[1]).toMatch(/^\/v2\/items\?id=item_000100000%2Citem_000100001%2C.*&limit=200$/);
	});

	it("lists what it finds when Argyle doesn't say which are groups", async () => {
		addEmployers(20);
		node.service.assumed.itemsByIds = 'no';
		expect((await node.search('searchEmployers', 'taxi number')).results).toHaveLength(20);
	});

	it('finds an employer by its ID at once, and none for an unknown ID', async () => {
		expect((await node.search('searchEmployers', 'item_000041078')).results).toEqual([
			{ name: 'GigAndGo · gig', value: 'item_000041078' },
		]);
		expect(asked()).toEqual(['/v2/items/item_000041078']);
		expect((await node.search('searchEmployers', 'item_999999999')).results).toEqual([]);
	});
});

describe('Employer Get', () => {
	const get = async (employerId: unknown) => await node.run({ resource: 'employer', operation: 'get', employerId });

	it('puts out what Argyle can read from an employer', async () => {
		const [found] = await get({ __rl: true, mode: 'id', value: ' item_000001422 ' });
		expect(found?.json).toEqual(node.service.items.get('item_000001422'));
		expect(found?.json.features).toMatchObject({ field_coverage: { identities: { hire_date: { supported: false } } } });
		expect(asked()).toEqual(['/v2/items/item_000001422']);
	});

	it('says so when there is no such employer', async () => {
		const error = await failure(get('item_999999999'));
		expect(error.message).toBe('Argyle could not find the Item item_999999999 [item 0]');
	});

	it.each([
		['', 'Employer is missing'],
		['Whole Goods', 'Employer has an entry that is not the ID of an Item: Whole Goods'],
		['item_000001422, item_000041078', 'Employer holds more than one ID'],
	])('of %p sends nothing and says: %s', async (employerId, message) => {
		expect(await node.refusalOf(get(employerId))).toBe(`${message} [item 0]`);
	});
});
