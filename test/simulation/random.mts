/** Random numbers from a seed (mulberry32), so that a world can be run again. */
export class Random {
	private state: number;

	constructor(seed: number) {
		this.state = seed >>> 0;
	}

	/** From 0 up to, but not including, 1. */
	next = (): number => {
		this.state = (this.state + 0x6d2b79f5) >>> 0;
		let mixed = this.state;
		mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};

	/** From `from` up to `to`. */
	between(from: number, to: number): number {
		return from + this.next() * (to - from);
	}

	/** A whole number from `from` to `to`, both included. */
	whole(from: number, to: number): number {
		return Math.floor(this.between(from, to + 1));
	}

	/** More often short than long, as waiting times are. */
	mostlyShort(from: number, to: number): number {
		return from + this.next() ** 3 * (to - from);
	}

	chance(probability: number): boolean {
		return this.next() < probability;
	}

	pick<T>(choices: readonly [T, ...T[]]): T {
		return choices[this.whole(0, choices.length - 1)] ?? choices[0];
	}

	/** A UUID of version 4. */
	uuid(): string {
		const hex = (digits: number) => Array.from({ length: digits }, () => this.whole(0, 15).toString(16)).join('');
		return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
	}
}
