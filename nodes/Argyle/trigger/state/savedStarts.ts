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
	 * Whether static data may not know that the event has started the workflow, because that came after static data was
	 * saved. Then only n8n's store knows, and it forgets the event while many older ones are caught up.
	 */
	mayMiss({ createdAt }: ListedRecord): boolean {
		const { readAt = -Infinity } = this.progress;
		return createdAt > readAt - DELIVERED_MS && createdAt < readAt + STOPPED_MS;
	}
}
