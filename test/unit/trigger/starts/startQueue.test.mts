import { setImmediate as nextTurn } from 'node:timers/promises';
import { StartQueue, type WaitingStart } from '../../../../nodes/Argyle/trigger/starts/startQueue';
import { clock } from '../../../../nodes/Argyle/utils/clock';
import { advance, useFakeTime } from '../../../support/fakeTime.mts';

let waits: number[] = [];
let endWait = () => {};
beforeEach(() => {
	waits = [];
	useFakeTime(() => 1_700_000_000_000);
	jest.spyOn(clock, 'pause').mockImplementation(async (ms) => {
		waits.push(ms);
		await new Promise<void>((resolve) => (endWait = resolve));
	});
});
afterEach(() => jest.restoreAllMocks());

/** What has started, and how each of it ends. */
function useStarts() {
	const started: string[] = [];
	const ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
	const start = (name: string, happenedAt: number, isBacklog = true, trigger = 'one'): WaitingStart => ({
		trigger,
		isBacklog,
		happenedAt,
		start: () => {
			started.push(name);
			return new Promise<void>((resolve, reject) => ends.set(name, { resolve, reject }));
		},
	});
	const many = (from: number, count: number, trigger?: string) =>
		Array.from({ length: count }, (_, index) => start(String(from + index), from + index, true, trigger));
	return { started, ends, start, many };
}

it('twenty executions are open at a time, and the next starts when one has ended, well or not', async () => {
	const { started, ends, many } = useStarts();
	const queue = new StartQueue();
	queue.add(many(100, 25));
	expect(started).toHaveLength(20);
	ends.get('105')?.resolve();
	ends.get('107')?.reject(new Error('could not be stored'));
	await nextTurn();
	expect(started.slice(20)).toEqual(['120', '121']);
});

it('the oldest form of a trigger starts first, but new forms before those of a backlog', async () => {
	const { started, ends, start, many } = useStarts();
	const queue = new StartQueue();
	queue.add(many(100, 20));
	queue.add([start('young', 30), start('old', 10)]);
	queue.add([start('new', 90, false), start('older', 5)]);
	for (const end of ends.values()) end.resolve();
	await nextTurn();
	expect(started.slice(20)).toEqual(['new', 'older', 'old', 'young']);
});

async function waitOut(ms: number): Promise<void> {
	advance(ms);
	endWait();
	await nextTurn();
}

it('an execution that is open for a minute holds up nothing; until then the queue waits, once', async () => {
	const { started, many } = useStarts();
	const queue = new StartQueue();
	queue.add(many(100, 20));
	expect(waits).toEqual([]);
	advance(10_000);
	queue.add(many(200, 15));
	queue.add(many(300, 10));
	expect(waits).toEqual([50_000]);
	await waitOut(50_000);
	expect([started.length, waits]).toEqual([40, [50_000, 60_000]]);
	await waitOut(60_000);
	expect([started.length, waits]).toEqual([45, [50_000, 60_000]]);
});

it('of one trigger, fifty executions are open at most, and of all a hundred, each for a quarter of an hour', async () => {
	const { started, ends, many } = useStarts();
	const queue = new StartQueue();
	queue.add([...many(1_000, 200, 'one'), ...many(2_000, 200, 'two'), ...many(3_000, 200, 'three')]);
	const counts: number[] = [];
	for (let minute = 1; minute < 16; minute++) {
		await waitOut(60_000);
		counts.push(started.length);
	}
	expect(counts).toEqual([40, 60, 80, ...Array.from({ length: 11 }, () => 100), 120]);
	ends.get('3010')?.resolve();
	await nextTurn();
	expect(started).toHaveLength(120);
});

it('while the workflow of one trigger hangs, the events of another start within a minute', async () => {
	const { started, start, many } = useStarts();
	const queue = new StartQueue();
	queue.add(many(1_000, 500, 'hangs'));
	for (let minute = 1; minute < 5; minute++) await waitOut(60_000);
	expect(started).toHaveLength(50);
	queue.add([start('missed', 5_000, true, 'other'), start('new', 6_000, false, 'third')]);
	expect(started.slice(50)).toEqual(['new', 'missed']);
});

it('the triggers with missed forms take turns', async () => {
	const { started, ends, many } = useStarts();
	const queue = new StartQueue();
	queue.add(many(100, 20));
	queue.add([...many(200, 9, 'one'), ...many(300, 2, 'two'), ...many(400, 2, 'three')]);
	for (const end of ends.values()) end.resolve();
	await nextTurn();
	expect(started.slice(20, 27)).toEqual(['200', '300', '400', '201', '301', '401', '202']);
});

it('two hundred thousand forms can wait, and what is not started after all leaves its place to the next', async () => {
	const queue = new StartQueue();
	let count = 0;
	const start = () => {
		count++;
		return undefined;
	};
	queue.add(
		Array.from({ length: 200_000 }, (_, happenedAt) => ({ trigger: 'one', isBacklog: true, happenedAt, start })),
	);
	expect(count).toBe(200_000);
});
