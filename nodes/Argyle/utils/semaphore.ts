/** A number of places that are taken and given back; whoever finds none free waits, in the order of coming. */
export class Semaphore {
	private free: number;

	private readonly waiting: Array<() => void> = [];

	constructor(count: number) {
		this.free = count;
	}

	/** Takes a place, as soon as there is one; gives what gives it back, which does so once however often it is called. */
	async acquire(): Promise<() => void> {
		if (this.free > 0) this.free--;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		let isTaken = true;
		return () => {
			if (!isTaken) return;
			isTaken = false;
			const next = this.waiting.shift();
			if (next === undefined) this.free++;
			else next();
		};
	}
}
