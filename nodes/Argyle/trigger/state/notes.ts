import type { ArgyleError } from '../../transport/errors';
import type { Loss } from './witness';

/** What one part of the trigger finds out, and another one tells later. */
export class Note<T> {
	private content: T | undefined;

	write(content: T): void {
		this.content = content;
	}

	/** Who reads a note takes it away. */
	take(): T | undefined {
		const { content } = this;
		this.content = undefined;
		return content;
	}
}

/** What executions, hooks and lists have met, until the watch tells it. */
export class Notes {
	/** Whether executions could complete their events. There is a failure only if all have failed. */
	readonly completion = new Note<{ failure?: ArgyleError }>();

	/** A look could not read one of Argyle's lists. `list` names its records. */
	readonly listFailure = new Note<{ list: string; error: ArgyleError }>();

	/** Nobody can know which events counted in this period. */
	readonly gap = new Note<Loss>();
}
