import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { Scan } from '../../../../nodes/Argyle/trigger/starts/scan';
import type { ListedRecord } from '../../../../nodes/Argyle/trigger/state/listedRecord';

const SECOND = 1_000;
const PAGE_MS = 100;

/** The accounts of one key, which have so many pages. */
class Accounts {
	readonly credentialDigest = randomUUID();

	/** When each scan began, in milliseconds since 1970. */
	readonly scans: number[] = [];

	readonly events: ListedRecord[] = [];

	/** How many scans run at once, at most. */
	most = 0;

	private running = 0;

	readonly pageCount: number;

	constructor(pageCount = 1) {
		this.pageCount = pageCount;
	}

	/** A list that a trigger has begun to read now, which shows what has happened until its scan begins. */
	list() {
		const { credentialDigest, pageCount } = this;
		const events: ListedRecord[] = [];
		return { credentialDigest, pageCount, events, scan: async () => events.push(...(await this.scan())) };
	}

	happen(key: string): void {
		this.events.push({ key, happenedAt: Date.now(), record: {} });
	}

	private async scan(): Promise<ListedRecord[]> {
		this.scans.push(Date.now());
		const shown = [...this.events];
		this.most = Math.max(this.most, ++this.running);
		await new Promise((resolve) => setTimeout(resolve, this.pageCount * PAGE_MS));
		this.running--;
		return shown;
	}
}

/** The keys of what a look of the trigger shows. */
async function look(accounts: Accounts, scan: Scan) {
	const list = accounts.list();
	const more = await scan.read(list);
	return [...list.events, ...more].map(({ key }) => key);
}

/** A trigger that looks each minute for ten minutes. */
async function lookForTenMinutes(accounts: Accounts, scan: Scan): Promise<void> {
	for (let minute = 0; minute < 10; minute++) {
		void look(accounts, scan);
		await jest.advanceTimersByTimeAsync(60 * SECOND);
	}
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it.each([
	[1, 10],
	[150, 10],
	[500, 3],
	[10_000, 1],
])(
	'accounts of %i pages are scanned %i times in ten minutes where nothing is delivered: 5 % of the rate',
	async (pages, scans) => {
		const accounts = new Accounts(pages);
		await lookForTenMinutes(accounts, new Scan(true));
		expect(accounts.scans).toHaveLength(scans);
	},
);

it('twenty triggers that were published at different times scan no more often than one, and see the same', async () => {
	const accounts = new Accounts(500);
	const scans = Array.from({ length: 20 }, () => new Scan(true));
	const seen: string[][] = scans.map(() => []);
	accounts.happen('login');
	for (let second = 0; second < 600; second += 3) {
		const place = (second / 3) % scans.length;
		void look(accounts, scans[place]).then((keys) => seen[place].push(...keys));
		await jest.advanceTimersByTimeAsync(3 * SECOND);
	}
	for (const keys of seen) expect(new Set(keys)).toEqual(new Set(['login']));
	expect(accounts).toMatchObject({ scans: [0, 200, 400].map(() => expect.any(Number)), most: 1 });
});

it('where events are delivered, a trigger scans once, and once more after one was missed', async () => {
	const [accounts, scan] = [new Accounts(), new Scan(false)];
	void look(accounts, scan);
	await lookForTenMinutes(accounts, scan);
	expect(accounts.scans).toHaveLength(1);
	scan.soon();
	await lookForTenMinutes(accounts, scan);
	expect(accounts.scans).toHaveLength(2);
});

it('what was missed while another trigger scans is found by a scan that begins afterwards', async () => {
	const accounts = new Accounts(20);
	const first = look(accounts, new Scan(false));
	await jest.advanceTimersByTimeAsync(SECOND);
	accounts.happen('login');
	const others = [new Scan(false), new Scan(false)].map(async (scan) => await look(accounts, scan));
	await jest.advanceTimersByTimeAsync(5 * SECOND);
	expect(await first).toEqual([]);
	expect(await Promise.all(others)).toEqual([['login'], ['login']]);
	expect(accounts).toMatchObject({ scans: [expect.any(Number), expect.any(Number)], most: 1 });
});

it('a scan is made once although the clock is set back after it became due', async () => {
	const [accounts, scan] = [new Accounts(), new Scan(false)];
	jest.setSystemTime(Date.now() - 3_600 * SECOND);
	await lookForTenMinutes(accounts, scan);
	expect(accounts.scans).toHaveLength(1);
});

it('a scan keeps nothing of the list that it has read, which can be of 100,000 accounts', async () => {
	const [accounts, scan] = [new Accounts(), new Scan(false)];
	accounts.happen('login');
	await lookForTenMinutes(accounts, scan);
	expect(inspect(scan, { depth: Infinity })).not.toContain('login');
});
