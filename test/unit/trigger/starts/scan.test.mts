import { Scan } from '../../../../nodes/Argyle/trigger/starts/scan';

const SECOND = 1_000;

/** A list of so many pages, and how often it was read whole. */
class List {
	scans = 0;

	isAway = false;

	readonly pageCount: number;

	constructor(pageCount: number) {
		this.pageCount = pageCount;
	}

	async scan(): Promise<void> {
		this.scans++;
		if (this.isAway) await Promise.reject(new Error('away'));
	}
}

/** How often a list is scanned that is looked at each minute for ten minutes. */
async function scansInTenMinutes(list: List, scan: Scan): Promise<number> {
	for (let minute = 0; minute < 10; minute++) {
		await scan.read([list]).catch(() => {});
		jest.advanceTimersByTime(60 * SECOND);
	}
	return list.scans;
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it.each([
	[1, 10],
	[150, 10],
	[500, 3],
	[10_000, 1],
])(
	'a list of %i pages is scanned %i times in ten minutes where nothing is delivered: 5 % of the rate',
	async (pages, scans) => {
		expect(await scansInTenMinutes(new List(pages), new Scan(true))).toBe(scans);
	},
);

it('a list is scanned once where events are delivered, and once more after one was missed', async () => {
	const [list, scan] = [new List(1), new Scan(false)];
	expect(await scansInTenMinutes(list, scan)).toBe(1);
	scan.soon();
	expect(await scansInTenMinutes(list, scan)).toBe(2);
});

it('a scan that has failed is made again at the next look', async () => {
	const [list, scan] = [new List(1), new Scan(false)];
	list.isAway = true;
	await expect(scan.read([list])).rejects.toThrow('away');
	list.isAway = false;
	expect(await scansInTenMinutes(list, scan)).toBe(2);
});
