import { ManualExecutionCancelledError } from 'n8n-workflow';
import { executeContext, type TriggerOutlets } from './contexts.mts';
import { type Execution, type StaticDataCopy, TRIGGER_NAME } from './database.mts';
import type { N8n } from './n8n.mts';
import { keyOfItem } from './occurrences.mts';
import type { N8nProcess } from './process.mts';

/** The executions that a worker runs at a time. */
const WORKER_CONCURRENCY = 10;

const STALLED = 'job stalled';

/** How n8n stores, queues and runs executions (n8n-facts 4 to 6). */
export class Executions {
	private readonly n8n: N8n;

	/** In queue mode, what waits in Redis. */
	private readonly jobs: Execution[] = [];

	/** How many executions of a process run or wait, where they have a limit, and those that wait. */
	private readonly taken = new Map<N8nProcess, number>();

	private readonly queue: Array<{ here: N8nProcess; resolve: () => void }> = [];

	constructor(n8n: N8n) {
		this.n8n = n8n;
	}

	/** `emit` and `saveFailedExecution` of a trigger that was activated with this copy of static data. */
	outletsOf(main: N8nProcess, copy: StaticDataCopy): TriggerOutlets {
		const { database, ways, observer, timeline } = this.n8n;
		return {
			saveFailedExecution: ({ message }) => observer.onFailure(`reported: ${message}`),
			emit: (data, onDone, key) => {
				database.saveStaticData(copy, 'emit');
				const tell = (action: () => void) => timeline.after(1, action, main);
				const onEnd: Execution['onEnd'] = (end) =>
					tell(() => ('rejected' in end ? onDone?.reject(end.rejected) : onDone?.resolve(runOf(end.error))));
				const store = async () => {
					await main.pauseBetween(1, ways.busyMs);
					const version = database.published;
					if (version === undefined) throw new Error('Published version not found');
					return database.store({ mode: 'trigger', version, items: data[0] ?? [], key, onEnd });
				};
				void store().then(
					(execution) => (execution === undefined ? onDone?.resolve(undefined) : void this.begin(execution, main)),
					(error: unknown) => {
						if (!ways.isEmitSilent) onDone?.reject(error instanceof Error ? error : new Error(String(error)));
					},
				);
			},
		};
	}

	/**
	 * Runs a stored execution: in queue mode in a worker, else in the process that has stored it. Resolves when there is
	 * room for it: n8n answers the call that it is for only then.
	 */
	async begin(execution: Execution, here: N8nProcess): Promise<void> {
		const { ways, timeline, random } = this.n8n;
		if (!ways.isQueue) {
			if (ways.limit !== undefined) await this.roomIn(here, ways.limit, execution);
			timeline.after(random.mostlyShort(1, ways.busyMs), () => void this.run(execution, here), here);
			return;
		}
		this.jobs.push(execution);
		timeline.after(random.mostlyShort(1, 50), () => this.dispatch());
	}

	/** Those that wait have room one after the other (`ConcurrencyControlService`). */
	private async roomIn(here: N8nProcess, limit: number, execution: Execution): Promise<void> {
		const taken = this.taken.get(here) ?? 0;
		this.taken.set(here, taken + 1);
		if (taken < limit) return;
		execution.waitsSince ??= this.n8n.timeline.now;
		await new Promise<void>((resolve) => this.queue.push({ here, resolve }));
	}

	private giveRoom(here: N8nProcess | undefined): void {
		if (here === undefined || this.n8n.ways.limit === undefined) return;
		this.taken.set(here, (this.taken.get(here) ?? 0) - 1);
		const next = this.queue.findIndex((waiting) => waiting.here === here);
		if (next !== -1) this.n8n.timeline.after(1, this.queue.splice(next, 1)[0].resolve, here);
	}

	/** Gives waiting jobs to workers that have room. */
	dispatch(): void {
		const { random } = this.n8n;
		const load = (worker: N8nProcess) => this.runningIn(worker).length;
		for (let [job] = this.jobs; job !== undefined && !this.n8n.isOverloaded; [job] = this.jobs) {
			const [first, ...others] = this.n8n.ready('worker').filter((worker) => load(worker) < WORKER_CONCURRENCY);
			if (first === undefined) return;
			this.jobs.shift();
			void this.run(job, random.pick([first, ...others]));
		}
	}

	/** n8n finds out at its next start, or when the job has stalled. */
	onKill(process: N8nProcess): void {
		const { ways, timeline, random } = this.n8n;
		if (!ways.isQueue) return;
		const stall = (execution: Execution) => () => {
			if (execution.status === 'running') this.end(execution, 'crashed', STALLED);
		};
		for (const execution of this.runningIn(process)) timeline.after(random.between(30_000, 60_000), stall(execution));
	}

	/** At a start of n8n: what ran when it was killed has crashed, and keeps its deduplication key. */
	recover(main: N8nProcess): void {
		if (this.n8n.ways.isQueue) return;
		for (const execution of this.n8n.database.executions) {
			// Nobody hears any more how it ends (`EnqueuedExecutionRecoveryService`).
			if (execution.status === 'new' && this.n8n.ways.limit !== undefined) void this.begin(execution, main);
			if (execution.status !== 'running') continue;
			execution.status = 'crashed';
			this.n8n.observer.onFailure('crashed');
		}
	}

	/** A person stops an execution that runs. */
	stopOne(): void {
		const running = this.n8n.database.executions.filter(
			({ status, runner }) => status === 'running' && runner?.isAlive,
		);
		const execution = running[this.n8n.random.whole(0, Math.max(0, running.length - 1))];
		if (execution === undefined) return;
		for (const { json } of execution.items) this.n8n.stopped.add(keyOfItem(json));
		execution.status = 'canceled';
		execution.endedAt = this.n8n.timeline.now;
		execution.abort.abort();
		execution.onEnd({ rejected: new ManualExecutionCancelledError(String(execution.id)) });
	}

	/** A person has an execution run again that failed at the trigger, or crashed. */
	retryOne(): void {
		const { database, retried, main, random } = this.n8n;
		const failed = database.executions.filter(({ status }) => ['error', 'crashed'].includes(status));
		const execution = failed[random.whole(0, Math.max(0, failed.length - 1))];
		if (execution === undefined || main?.isReady !== true || database.isLocked) return;
		const { version, items } = execution;
		for (const { json } of items) retried.add(keyOfItem(json));
		const again = database.store({ mode: 'retry', version, items, key: undefined, onEnd: () => {} });
		if (again !== undefined) void this.begin(again, main);
	}

	private runningIn(process: N8nProcess): Execution[] {
		return this.n8n.database.executions.filter(({ status, runner }) => status === 'running' && runner === process);
	}

	private async run(execution: Execution, runner: N8nProcess): Promise<void> {
		const { database, surroundings, ways, random, observer } = this.n8n;
		if (execution.status !== 'new') return this.giveRoom(runner);
		Object.assign(execution, { status: 'running', runner });
		// A worker gets none for a new execution.
		const copy = database.copyStaticData(runner.time, ways.isQueue);
		await runner.pauseBetween(2, ways.busyMs);
		const context = executeContext(surroundings, runner, execution.version, copy, execution);
		const isStopped = () => execution.status === 'canceled';
		const output = await runner.trigger.execute.call(context).catch((error: unknown) => String(error));
		if (isStopped()) return this.giveRoom(runner);
		if (typeof output === 'string') {
			database.saveStaticData(copy, 'execution');
			this.end(execution, 'error', output);
			return;
		}
		const [items = []] = output;
		for (const { json } of items) observer.onStart(json);
		execution.isOutAtTrigger = items.length === 0;
		if (!execution.isOutAtTrigger) {
			if (ways.hasCounter) count(copy);
			await runner.pause(random.mostlyShort(1, ways.laterNodesMs));
			if (isStopped()) return this.giveRoom(runner);
		}
		database.saveStaticData(copy, 'execution', runner.time - copy.loadedAt);
		this.end(execution, 'success');
	}

	private end(execution: Execution, status: Execution['status'], error?: string): void {
		const { timeline, ways, observer } = this.n8n;
		Object.assign(execution, { status, error, endedAt: timeline.now });
		if (error !== undefined) observer.onFailure(`${status}: ${error}`);
		if (status === 'success' && !ways.keepsSuccesses) execution.key = undefined;
		execution.onEnd({ error: error === undefined ? undefined : new Error(error) });
		this.giveRoom(execution.runner);
		this.dispatch();
	}
}

/** What n8n tells of an execution that has ended. */
function runOf(error: Error | undefined): object {
	const status = error === undefined ? 'success' : 'error';
	// Only the trigger itself fails here. n8n says nothing of the node when a job has stalled.
	const lastNodeExecuted = error?.message === STALLED ? undefined : TRIGGER_NAME;
	const resultData = { runData: {}, error, lastNodeExecuted };
	return { mode: 'trigger', status, finished: error === undefined, data: { resultData } };
}

/** A Code node after the trigger that counts in static data. */
function count(copy: StaticDataCopy): void {
	const part = copy.root.global;
	const counted = typeof part === 'object' && part !== null && 'count' in part ? Number(part.count) : 0;
	copy.root.global = { count: counted + 1 };
	copy.isChangedByOthers = true;
}
