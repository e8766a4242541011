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
	const start = (name: string, happenedAt: number, isBacklog = true): WaitingStart => ({
		isBacklog,
		happenedAt,
		start: () => {
			started.push(name);
			return new Promise<void>((resolve, reject) => ends.set(name, { resolve, reject }));
		},
	});
	const many = (from: number, count: number) =>
		Array.from({ length: count }, (_, index) => start(String(from + index), from + index));
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

it('the oldest form of all triggers starts first, but new forms before those of a backlog', async () => {
	const { started, ends, start, many } = useStarts();
	const queue = new StartQueue();
	queue.add(many(100, 20));
	queue.add([start('young', 30), start('old', 10)]);
	queue.add([start('new', 90, false), start('older', 5)]);
	for (const end of ends.values()) end.resolve();
	await nextTurn();
	expect(started.slice(20)).toEqual(['new', 'older', 'old', 'young']);
});

it('an execution that is open for a minute holds up nothing; until then the queue waits, once', async () => {
	const { started, many } = useStarts();
	const queue = new StartQueue();
	const waitOut = async (ms: number) => {
		advance(ms);
		endWait();
		await nextTurn();
	};
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

it('what is not started after all leaves its place to the next', () => {
	const { started, start } = useStarts();
	const queue = new StartQueue();
	const skipped = Array.from({ length: 50 }, (_, at) => ({ isBacklog: true, happenedAt: at, start: () => undefined }));
	queue.add([...skipped, start('one', 100)]);
	expect(started).toEqual(['one']);
});

it('two hundred thousand waiting forms are queued and started one by one', async () => {
	const queue = new StartQueue();
	let count = 0;
	const start = () => {
		count++;
		return undefined;
	};
	queue.add(Array.from({ length: 200_000 }, (_, happenedAt) => ({ isBacklog: true, happenedAt, start })));
	expect(count).toBe(200_000);
});
