import { LruMap } from '../../../nodes/Argyle/utils/lruMap';

describe('LruMap', () => {
	it('adds what is missing, and gives what is there', () => {
		const map = new LruMap<string>();
		expect([map.getOrAdd('a', () => 'first'), map.getOrAdd('a', () => 'second')]).toEqual(['first', 'first']);
	});

	it('drops the least recently used entry when the map exceeds its size', () => {
		const map = new LruMap<number>(2);
		map.set('a', 1);
		map.set('b', 2);
		map.get('a');
		map.set('c', 3);
		expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([1, undefined, 3]);
	});

	it('replaces the value of a key without dropping another entry', () => {
		const map = new LruMap<number>(2);
		map.set('a', 1);
		map.set('b', 2);
		map.set('b', 3);
		expect(['a', 'b'].map((key) => map.get(key))).toEqual([1, 3]);
	});

	it('forgets a deleted entry', () => {
		const map = new LruMap<number>(2);
		map.set('a', 1);
		map.delete('a');
		expect(map.get('a')).toBeUndefined();
	});

	it('lists values, the least recently used first', () => {
		const map = new LruMap<number>(3);
		map.set('a', 1);
		map.set('b', 2);
		map.set('c', 3);
		map.get('a');
		map.set('b', 4);
		expect(map.values()).toEqual([3, 1, 4]);
	});

	it('deletes the entries that are obsolete, whether they were used lately or not', () => {
		const map = new LruMap<number>(4);
		for (const value of [1, 2, 9, 3]) map.set(String(value), value);
		map.deleteWhere((value) => value < 5);
		expect(map.values()).toEqual([9]);
	});
});
