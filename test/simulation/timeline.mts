/** Who dies takes along what would have happened to him. */
interface Mortal {
	isAlive: boolean;
}

interface Appointment {
	at: number;
	/** Of those at the same time, the one that was made first comes first. */
	number: number;
	action: () => void;
	owner: Mortal | undefined;
}

const isEarlier = (one: Appointment, other: Appointment) =>
	one.at < other.at || (one.at === other.at && one.number < other.number);

/** Virtual time. It stands still until everything that an event has set off waits for a later time. */
export class Timeline {
	/** Milliseconds since 1970, by the clock that is right: Argyle's. */
	now: number;

	readonly begin: number;

	/** A binary heap: each is earlier than the two at twice its place. */
	private readonly heap: Appointment[] = [];

	private count = 0;

	constructor(now: number) {
		this.now = this.begin = now;
	}

	/** Has `action` happen after `ms` milliseconds, unless its owner is dead by then. */
	after(ms: number, action: () => void, owner?: Mortal): void {
		const appointment = { at: this.now + Math.max(0, ms), number: this.count++, action, owner };
		const { heap } = this;
		let place = heap.push(appointment) - 1;
		while (place > 0) {
			const parent = (place - 1) >> 1;
			if (!isEarlier(appointment, heap[parent])) break;
			heap[place] = heap[parent];
			heap[parent] = appointment;
			place = parent;
		}
	}

	/** Resolves after `ms` milliseconds, never if its owner is dead by then. */
	async pause(ms: number, owner?: Mortal): Promise<void> {
		await new Promise<void>((resolve) => this.after(ms, resolve, owner));
	}

	/** Lets everything happen that happens up to this time. */
	async runUntil(time: number): Promise<void> {
		for (let [first] = this.heap; first !== undefined && first.at <= time; [first] = this.heap) {
			this.removeFirst();
			if (first.owner?.isAlive === false) continue;
			this.now = first.at;
			first.action();
			// All promises that can be settled are settled before the next macrotask.
			await new Promise((resolve) => setImmediate(resolve));
		}
		this.now = time;
	}

	private removeFirst(): void {
		const { heap } = this;
		const last = heap.pop();
		if (last === undefined || heap.length === 0) return;
		let place = 0;
		for (;;) {
			let child = 2 * place + 1;
			if (child >= heap.length) break;
			if (child + 1 < heap.length && isEarlier(heap[child + 1], heap[child])) child++;
			if (!isEarlier(heap[child], last)) break;
			heap[place] = heap[child];
			place = child;
		}
		heap[place] = last;
	}
}
