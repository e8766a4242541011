import { type IDataObject, type IRun, type ITriggerFunctions, UserError } from 'n8n-workflow';

import { ArgyleError } from '../../transport/errors';
import { PROCESS_ID, withOrigin } from '../state/itemOrigin';
import type { ListedRecord } from '../state/listedRecord';
import { Note } from '../state/notes';
import { whyAgain } from '../state/start';
import type { Watched } from '../state/watched';
import { listedEvent } from './eventList';
import { startQueue } from './startQueue';

/**
 * Asks n8n for an execution of the workflow with these items. Resolves with the run when it has ended, or with
 * undefined when n8n dropped it for its deduplication key (n8n's types leave that out). Rejects when n8n could not
 * store it.
 */
type AskForExecution = (items: IDataObject[], key: string) => Promise<IRun | undefined>;

function executionsOf(context: ITriggerFunctions): AskForExecution {
	const { helpers, logger } = context;
	// n8n's engine 2.0 refuses to tell when an execution ends. Then the promise never settles.
	let isEndHidden = false;
	return async function ask(items, key): ReturnType<AskForExecution> {
		const end = helpers.createDeferredPromise<IRun>();
		context.emit([items.map((json) => ({ json }))], undefined, isEndHidden ? undefined : end, key);
		return await end.promise.catch(async (error: unknown) => {
			if (!(error instanceof UserError)) throw error;
			if (!isEndHidden) logger.info(`n8n does not tell the Argyle Trigger when an execution ends: ${error.message}`);
			isEndHidden = true;
			return await ask(items, key);
		});
	};
}

/** Whether an execution has failed in the trigger itself, so that no later node has run. */
function failedInTrigger(run: IRun, triggerName: string): boolean {
	const { error, lastNodeExecuted } = run.data.resultData;
	return error !== undefined && (lastNodeExecuted === undefined || lastNodeExecuted === triggerName);
}

const notStarted = (error: unknown) =>
	new ArgyleError(
		'n8n could not start the workflow for an event',
		`The event is tried again. n8n says: ${error instanceof Error ? error.message : String(error)}`,
		{ isTransient: true },
	);

/** The executions of caught-up events: asks n8n for them, and follows each start to its end. */
export class Executions {
	/** Why n8n could not start the workflow for an event. */
	readonly failure = new Note<ArgyleError>();

	private readonly ask: AskForExecution;

	private readonly watched: Watched;

	constructor(watched: Watched) {
		this.watched = watched;
		this.ask = executionsOf(watched.context);
	}

	/** Each group of events has an execution of its own. `isBacklog`: as `WaitingStart.isBacklog`. */
	enqueue(groups: ListedRecord[][], isBacklog: (oldest: ListedRecord) => boolean): void {
		const { starts, key: trigger } = this.watched.trigger;
		const now = Date.now();
		const waiting = groups.flatMap((events) => {
			const [oldest] = events;
			if (oldest === undefined) return [];
			for (const { key } of events) starts.queue(key, now);
			const start = () => this.start(events);
			return [{ trigger, isBacklog: isBacklog(oldest), happenedAt: oldest.happenedAt, start }];
		});
		startQueue.add(waiting);
	}

	/**
	 * Asks for an execution that ends at the trigger and saves static data, for when no call to the own URL can do that.
	 * When the execution ends, n8n saves its copy of static data. In queue mode, it saves nothing: after a restart, n8n's
	 * deduplication keys tell what has started the workflow.
	 */
	save(): void {
		const { starts, key } = this.watched.trigger;
		const { unsavedCount } = starts;
		const at = Date.now();
		const item = withOrigin({ event: 'argyle.save', data: {} }, { at, isSaving: true });
		starts.onSaved(unsavedCount);
		const isNotStored = () => starts.onSaved(-unsavedCount);
		void this.ask([item], `argyle ${key} ${PROCESS_ID} saves ${at}`).catch(isNotStored);
	}

	private start(queued: ListedRecord[]): Promise<unknown> | undefined {
		const { starts } = this.watched.trigger;
		const now = Date.now();
		// Argyle may have delivered them in the meantime.
		const events = queued.filter(({ key }) => starts.get(key)?.state === 'waiting');
		const isClosed = this.watched.closed.aborted;
		for (const { key } of events) if (isClosed) starts.lose(key, now);
		if (isClosed || events.length === 0) return undefined;
		for (const { key } of events) starts.ask(key, now);
		this.log(events);
		const end = this.emit(events);
		void end.then(
			(run) => this.settle(events, run),
			(error: unknown) => this.fail(events, error),
		);
		return end;
	}

	private log(events: ListedRecord[]): void {
		const { context, trigger } = this.watched;
		const keys = events.map(({ key }) => key);
		const reasons = [...new Set(keys.map((key) => whyAgain(trigger.starts.get(key))))].filter(Boolean).join('; ');
		const names = keys.join(', ');
		if (reasons === '') context.logger.info(`The Argyle Trigger asks n8n for an execution for the event ${names}`);
		else context.logger.info(`The Argyle Trigger asks again for the event ${names}, because ${reasons}`);
	}

	/** As `AskForExecution`. */
	private async emit(events: ListedRecord[]): Promise<IRun | undefined> {
		const { trigger, settings } = this.watched;
		const at = Date.now();
		const usedKeys = Math.max(...events.map(({ key }) => trigger.starts.get(key)?.usedKeys ?? 0));
		const items = events.map((event) => withOrigin(listedEvent(event, settings), { at, key: event.key, usedKeys }));
		return await this.ask(items, this.deduplicationKey(events, usedKeys));
	}

	/**
	 * Once an execution runs, n8n stores no second one with the same key, whichever process asks for it. But an execution
	 * that crashed keeps its key. So after n8n has dropped an execution for an event, the next key names this process. The
	 * same holds after n8n said nothing: the first execution may still wait, and a second one with the same key would make
	 * n8n delete the first.
	 */
	private deduplicationKey([oldest, ...others]: ListedRecord[], usedKeys: number): string {
		const parts = [
			'argyle',
			this.watched.trigger.key,
			oldest.key,
			others.length > 0 ? 'received' : '',
			usedKeys > 0 ? `${PROCESS_ID} ${usedKeys}` : '',
		];
		return parts.filter(Boolean).join(' ');
	}

	/** `run` is undefined when n8n dropped the execution for its deduplication key. */
	private settle(events: ListedRecord[], run: IRun | undefined): void {
		const { context, trigger } = this.watched;
		const { starts } = trigger;
		const now = Date.now();
		for (const { key } of events) {
			if (run === undefined) starts.loseDropped(key, now);
			else if (failedInTrigger(run, context.getNode().name)) starts.lose(key, now, 'failed');
			// If the trigger failed in this process, the start is lost already, even if *On Error* let n8n continue.
			else if (starts.hasExecution(key)) starts.finish(key, now);
		}
		starts.advance();
	}

	private fail(events: ListedRecord[], error: unknown): void {
		const { starts } = this.watched.trigger;
		// If the start is done, a person stopped the execution in a later node.
		if (events.every(({ key }) => starts.get(key)?.state === 'done')) return;
		// n8n's database may be locked. The next look starts the workflow for these events.
		for (const { key } of events) starts.lose(key, Date.now(), 'notStored');
		this.failure.write(notStarted(error));
	}
}
