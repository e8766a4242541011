import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';

import { toNodeError } from '../shared/nodeError';
import { ArgyleError, asArgyleError } from '../transport/errors';
import { clock } from '../utils/clock';
import { isPolling } from './settings';
import { startPolling } from './forms/polling';
import { Trouble } from './trouble';
import { WatchedSubscription } from './watchedSubscription';

/** Spreads the n8n instances of an account. The triggers of this process share it, and so what they read. */
const START_DELAY_MS = 3_000 + Math.random() * 4_000;

/** While the service is away. */
const SOON_MS = 30_000;

/** So many failures in a row are repeated soon. */
const MAX_SOON = 10;

interface Watched {
	/** How often to look in the long run, in milliseconds. */
	readonly intervalMs: number;
	/** Returns in how many milliseconds to look again. Throws ArgyleError. */
	look(): Promise<number>;
}

/** Looks again and again until the workflow is unpublished. Never throws, because n8n would take the trigger down. */
class Watch {
	private readonly trouble = new Trouble();

	private failures = 0;

	private readonly context: ITriggerFunctions;

	private readonly watched: Watched;

	private readonly closed: AbortSignal;

	constructor(context: ITriggerFunctions, watched: Watched, closed: AbortSignal) {
		this.context = context;
		this.watched = watched;
		this.closed = closed;
	}

	async run(): Promise<void> {
		let delay = START_DELAY_MS;
		for (;;) {
			await clock.pause(delay, this.closed);
			if (this.closed.aborted) return;
			delay = await this.watched.look().then(
				(nextDelay) => this.succeed(nextDelay),
				(error: unknown) => this.fail(asArgyleError(error)),
			);
		}
	}

	private succeed(nextDelay: number): number {
		this.failures = 0;
		if (this.trouble.onSuccess()) this.context.logger.info('The Argyle Trigger works again');
		return nextDelay;
	}

	private fail(error: ArgyleError): number {
		const { intervalMs } = this.watched;
		if (this.closed.aborted) return intervalMs;
		const story = `This workflow is published, but Argyle can't start it: ${error.message}. ${error.description}`;
		if (this.failures++ === 0) this.context.logger.warn(story);
		if (this.trouble.onFailure(error, Date.now())) this.report(story, error);
		return error.isTransient && this.failures <= MAX_SOON ? Math.min(SOON_MS, intervalMs) : intervalMs;
	}

	/** As a failed execution, which also starts the person's error workflow. The first n8n 2 have the log only. */
	private report(story: string, { description, details }: ArgyleError): void {
		if (!('saveFailedExecution' in this.context)) return;
		this.context.saveFailedExecution(toNodeError(this.context.getNode(), new ArgyleError(story, description, details)));
	}
}

/**
 * n8n calls this at each start and publish. In a test it calls `webhook()` and `execute()` only. Throws ArgyleError
 * when a person publishes and Argyle can't be asked for forms.
 */
export async function startWatch(context: ITriggerFunctions): Promise<ITriggerResponse> {
	const closed = new AbortController();
	const watched = isPolling(context)
		? await startPolling(context, closed.signal)
		: new WatchedSubscription(context, closed.signal);
	void new Watch(context, watched, closed.signal).run();
	return { closeFunction: async () => closed.abort() };
}
