/** One n8n seldom works with more users, accounts, triggers or URLs at a time. */
const MAX_SIZE = 10_000;

/** A map of at most `maxSize` entries. If one more is set, the least recently used entry is dropped. */
export class LruMap<Value> {
	private readonly entries = new Map<string, Value>();

	private readonly maxSize: number;

	constructor(maxSize = MAX_SIZE) {
		this.maxSize = maxSize;
	}

	get(key: string): Value | undefined {
		const value = this.entries.get(key);
		if (value !== undefined) this.set(key, value);
		return value;
	}

	set(key: string, value: Value): void {
		// A Map iterates in the order of insertion, so the least recently used entry comes first.
		this.entries.delete(key);
		this.entries.set(key, value);
		for (const oldest of this.entries.keys()) {
			if (this.entries.size <= this.maxSize) break;
			this.entries.delete(oldest);
		}
	}

	getOrAdd(key: string, make: () => Value): Value {
		const value = this.entries.get(key) ?? make();
		this.set(key, value);
		return value;
	}

	delete(key: string): void {
		this.entries.delete(key);
	}

	clear(): void {
		this.entries.clear();
	}

	/** Deletes all obsolete entries. */
	deleteWhere(isObsolete: (value: Value) => boolean): void {
		for (const [key, value] of this.entries) if (isObsolete(value)) this.entries.delete(key);
	}

	/** Returns keys and values, the least recently used first. */
	pairs(): Array<[key: string, value: Value]> {
		return [...this.entries];
	}

	/** Returns the values, the least recently used first. */
	values(): Value[] {
		return [...this.entries.values()];
	}
}
