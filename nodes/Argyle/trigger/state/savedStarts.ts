import type { ListedRecord, Progress } from './listedRecord';
import { DELIVERED_MS, STOPPED_MS } from './timing';

/** What static data knew of the starts when n8n was stopped. */
export class SavedStarts {
	readonly progress: Pick<Progress, 'started' | 'readAt'>;

	private readonly started: Set<string>;

	constructor(progress: Pick<Progress, 'started' | 'readAt'> = {}) {
		this.progress = progress;
		this.started = new Set(progress.started);
	}

	has(key: string): boolean {
		return this.started.has(key);
	}

	/**
	 * Whether the event may have started the workflow after static data was last saved. Then only n8n's processed values,
	 * its durable store, have it. They lose it while many older events are caught up.
	 */
	mayMiss({ createdAt }: ListedRecord): boolean {
		const { readAt = -Infinity } = this.progress;
		return createdAt > readAt - DELIVERED_MS && createdAt < readAt + STOPPED_MS;
	}
}
