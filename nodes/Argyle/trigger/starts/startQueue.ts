import { clock, isWithin } from '../../utils/clock';
import { OPEN } from '../state/timing';

/** How many executions that are younger than a minute may be open. Each costs n8n some ten MiB. */
const MAX_OPEN = 20;

/** How many executions may be open in all, with those that take longer than a minute. */
const MAX_OPEN_IN_ALL = 100;

/** How many of them may be of one trigger, so that a workflow that hangs leaves room for the others. */
const MAX_OPEN_OF_ONE = 50;

/** An execution that waits until few others are open. */
export interface WaitingStart {
	/** The key of the trigger. */
	trigger: string;
	/** Whether the event was missed before n8n booted. Events that happen now go first. */
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
 * Holds back the executions of caught-up events of all triggers of the process. At most twenty are open that are
 * younger than a minute. An execution that takes longer mostly waits for something, so it does not hold up others. But
 * if a hundred are open, n8n is overloaded, and more would take all its memory. After a quarter of an hour, an
 * execution no longer counts, because n8n may never tell of its end. Triggers take turns, so that nobody waits for the
 * backlog of somebody else.
 */
export class StartQueue {
	/** By trigger, in the order of their turns. */
	private readonly waiting = new Map<string, WaitingStart[]>();

	/** When each open execution was started, in milliseconds since 1970; the oldest first. */
	private readonly open = new Set<{ trigger: string; since: number }>();

	private isWaking = false;

	add(starts: WaitingStart[]): void {
		for (const start of starts) {
			const own = this.waiting.get(start.trigger) ?? [];
			own.push(start);
			this.waiting.set(start.trigger, own);
		}
		for (const trigger of new Set(starts.map((start) => start.trigger))) this.waiting.get(trigger)?.sort(nextLast);
		this.serve();
	}

	private serve(): void {
		for (let next = this.next(); next !== undefined; next = this.next()) {
			const end = next.start();
			if (end !== undefined) void this.hold(next.trigger, end);
		}
		if (this.waiting.size > 0 && !this.isWaking) void this.serveLater();
	}

	/** An event of now of the trigger whose turn it is goes first, then its oldest missed event. */
	private next(): WaitingStart | undefined {
		if (this.isFull()) return undefined;
		const withRoom = [...this.waiting].filter(([trigger]) => this.openCount(trigger) < MAX_OPEN_OF_ONE);
		const [trigger, starts = []] = withRoom.find(([, own]) => own.at(-1)?.isBacklog === false) ?? withRoom[0] ?? [];
		if (trigger === undefined) return undefined;
		const next = starts.pop();
		this.waiting.delete(trigger);
		if (starts.length > 0) this.waiting.set(trigger, starts);
		return next;
	}

	private openCount(trigger: string): number {
		return [...this.open].filter((execution) => execution.trigger === trigger).length;
	}

	/** Serves when the oldest of the twenty no longer counts as one of them, or in a minute. */
	private async serveLater(): Promise<void> {
		this.isWaking = true;
		const [oldest = { since: Date.now() }] = this.young();
		await clock.pause(Math.max(0, oldest.since + OPEN.youngMs - Date.now()));
		this.isWaking = false;
		this.serve();
	}

	private isFull(): boolean {
		const now = Date.now();
		for (const execution of this.open) if (!isWithin(OPEN.longMs, execution.since, now)) this.open.delete(execution);
		return this.open.size >= MAX_OPEN_IN_ALL || this.young().length >= MAX_OPEN;
	}

	private young() {
		const now = Date.now();
		return [...this.open].filter(({ since }) => isWithin(OPEN.youngMs, since, now));
	}

	private async hold(trigger: string, end: Promise<unknown>): Promise<void> {
		const execution = { trigger, since: Date.now() };
		this.open.add(execution);
		await end.catch(() => undefined);
		this.open.delete(execution);
		this.serve();
	}
}

export const startQueue = new StartQueue();
