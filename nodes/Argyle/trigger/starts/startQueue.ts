import { clock, isWithin } from '../../utils/clock';
import { OPEN_MS } from '../state/timing';

/** Each open execution costs n8n some ten MiB. */
const MAX_OPEN = 20;

/** An execution that waits until few others are open. */
export interface WaitingStart {
	/** Whether the event was missed before n8n started. Events that come now go first. */
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
 * than a minute ago. An execution that takes longer waits for something, so it does not hold up others.
 */
export class StartQueue {
	private waiting: WaitingStart[] = [];

	/** When each open execution was started, in milliseconds since 1970; the first one first. */
	private readonly open = new Set<{ since: number }>();

	private isWaking = false;

	add(starts: WaitingStart[]): void {
		this.waiting = [...this.waiting, ...starts].sort(nextLast);
		this.serve();
	}

	private serve(): void {
		while (this.waiting.length > 0 && this.openCount() < MAX_OPEN) {
			const end = this.waiting.pop()?.start();
			if (end !== undefined) void this.hold(end);
		}
		if (this.waiting.length > 0 && !this.isWaking) void this.serveLater();
	}

	/** Runs when the oldest of the open executions no longer counts. */
	private async serveLater(): Promise<void> {
		this.isWaking = true;
		const [oldest] = this.open;
		await clock.pause(Math.max(0, oldest.since + OPEN_MS - Date.now()));
		this.isWaking = false;
		this.serve();
	}

	private openCount(): number {
		const now = Date.now();
		for (const execution of this.open) if (!isWithin(OPEN_MS, execution.since, now)) this.open.delete(execution);
		return this.open.size;
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
