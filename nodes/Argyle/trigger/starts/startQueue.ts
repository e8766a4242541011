import { clock, isWithin } from '../../utils/clock';
import { LONG_OPEN_MS, OPEN_MS } from '../state/timing';

/** How many executions may be open that began less than a minute ago. Each costs n8n some ten MiB. */
const MAX_OPEN = 20;

/** How many executions may be open in all, with those that take longer than a minute. */
const MAX_OPEN_IN_ALL = 100;

/** An execution that waits until few others are open. */
export interface WaitingStart {
	/** Whether the event was missed before n8n started. Events that happen now go first. */
	isBacklog: boolean;
	/** When the event happened, in milliseconds since 1970. */
	happenedAt: number;
	/** Returns the end of the execution, undefined when none was started. Never throws. */
	start(): Promise<unknown> | undefined;
}

/** For `sort`: the next to be started comes last. */
const nextLast = (one: WaitingStart, other: WaitingStart) =>
	Number(other.isBacklog) - Number(one.isBacklog) || other.happenedAt - one.happenedAt;

/**
 * Holds back the executions of caught-up events of all triggers of the process. At most twenty are open that began less
 * than a minute ago. An execution that takes longer mostly waits for something, so it does not hold up others. But if a
 * hundred are open, n8n is overloaded, and more would take all its memory. After a quarter of an hour, an execution no
 * longer counts, because n8n may never tell of its end.
 */
export class StartQueue {
	private waiting: WaitingStart[] = [];

	/** When each open execution was started, in milliseconds since 1970; the oldest first. */
	private readonly open = new Set<{ since: number }>();

	private isWaking = false;

	add(starts: WaitingStart[]): void {
		this.waiting = [...this.waiting, ...starts].sort(nextLast);
		this.serve();
	}

	private serve(): void {
		while (this.waiting.length > 0 && !this.isFull()) {
			const end = this.waiting.pop()?.start();
			if (end !== undefined) void this.hold(end);
		}
		if (this.waiting.length > 0 && !this.isWaking) void this.serveLater();
	}

	/** Serves when the oldest of the twenty no longer counts as one of them, or in a minute. */
	private async serveLater(): Promise<void> {
		this.isWaking = true;
		const [oldest = { since: Date.now() }] = this.young();
		await clock.pause(Math.max(0, oldest.since + OPEN_MS - Date.now()));
		this.isWaking = false;
		this.serve();
	}

	private isFull(): boolean {
		const now = Date.now();
		for (const execution of this.open) if (!isWithin(LONG_OPEN_MS, execution.since, now)) this.open.delete(execution);
		return this.open.size >= MAX_OPEN_IN_ALL || this.young().length >= MAX_OPEN;
	}

	private young() {
		const now = Date.now();
		return [...this.open].filter(({ since }) => isWithin(OPEN_MS, since, now));
	}

	private async hold(end: Promise<unknown>): Promise<void> {
		const execution = { since: Date.now() };
		this.open.add(execution);
		await end.catch(() => undefined);
		this.open.delete(execution);
		this.serve();
	}
}

export const startQueue = new StartQueue();
