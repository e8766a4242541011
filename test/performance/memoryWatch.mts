/** A time during which every look showed the same. */
export interface Span {
	what: string;
	/** Milliseconds since 1970: the first look that showed it, and the first that showed something else. */
	from: number;
	to: number;
}

/** A running watch; `stop` ends it and gives what it saw. */
export interface Watch {
	/** What the latest look showed. */
	latest(): string | undefined;
	stop(): Promise<Span[]>;
}

/**
 * Looks at something at a steady rate until it is stopped. A look that takes long holds up no other; it counts for the
 * moment at which it began.
 */
export function watch(look: () => Promise<string> | string, everyMs: number): Watch {
	const looks: Array<Promise<{ at: number; what: string }>> = [];
	let latest: string | undefined;
	const timer = setInterval(() => {
		const at = Date.now();
		looks.push(Promise.resolve(look()).then((what) => ({ at, what: (latest = what) })));
	}, everyMs);
	return {
		latest: () => latest,
		async stop() {
			clearInterval(timer);
			return spansOf(await Promise.all(looks), Date.now());
		},
	};
}

/** Takes looks in their order, and when the watch ended; gives one span for all that follow each other and are the same. */
export function spansOf(looks: Array<{ at: number; what: string }>, end: number): Span[] {
	const spans: Span[] = [];
	for (const { at, what } of looks) {
		const last = spans.at(-1);
		if (last !== undefined) last.to = at;
		if (last?.what !== what) spans.push({ what, from: at, to: at });
	}
	const last = spans.at(-1);
	if (last !== undefined) last.to = end;
	return spans;
}

/** How long, in milliseconds, at least one of the spans lasted; what they share counts once. */
export function lengthOf(spans: Array<Pick<Span, 'from' | 'to'>>): number {
	let length = 0;
	let covered = -Infinity;
	for (const { from, to } of [...spans].sort((one, other) => one.from - other.from)) {
		length += Math.max(0, to - Math.max(from, covered));
		covered = Math.max(covered, to);
	}
	return length;
}
