import { lengthOf, spansOf, watch } from '../../performance/memoryWatch.mts';

describe('what a watch saw', () => {
	it('is one span for looks that follow each other and show the same, each up to the next', () => {
		const looks = [
			{ at: 10, what: 'there' },
			{ at: 20, what: 'gone' },
			{ at: 30, what: 'gone' },
			{ at: 40, what: 'there' },
		];
		expect(spansOf(looks, 50)).toEqual([
			{ what: 'there', from: 10, to: 20 },
			{ what: 'gone', from: 20, to: 40 },
			{ what: 'there', from: 40, to: 50 },
		]);
		expect(spansOf([], 50)).toEqual([]);
	});

	it('is as long as its spans together, with what they share counted once', () => {
		const spans = (...pairs: Array<[number, number]>) => pairs.map(([from, to]) => ({ from, to }));
		expect(lengthOf([])).toBe(0);
		expect(lengthOf(spans([10, 20], [30, 45]))).toBe(25);
		expect(lengthOf(spans([10, 30], [20, 40]))).toBe(30);
		expect(lengthOf(spans([30, 40], [10, 50]))).toBe(40);
	});

	it('puts a look where it began, however long it takes', async () => {
		let answerFirst = (_what: string) => {};
		const first = new Promise<string>((resolve) => (answerFirst = resolve));
		let secondBegins = () => {};
		const second = new Promise<void>((resolve) => (secondBegins = resolve));
		let count = 0;
		const running = watch(async () => {
			if (++count === 1) return await first;
			secondBegins();
			return 'quick';
		}, 5);
		await second;
		answerFirst('slow');
		expect(await running.stop()).toMatchObject([{ what: 'slow' }, { what: 'quick' }]);
	});
});
