import type { ArgyleError } from '../../transport/errors';
import type { Loss } from './witness';

/** What executions, hooks and lists have met, until the watch tells it. Who reads a note takes it away. */
export class Notes {
	private completion: { failure?: ArgyleError } | undefined;

	private listFailure: { list: string; error: ArgyleError } | undefined;

	private gap: Loss | undefined;

	/** An execution has completed events, or has failed to. The look counts a failure only if all have failed. */
	addCompletion(failure: ArgyleError | undefined): void {
		if (failure === undefined || this.completion === undefined) this.completion = { failure };
	}

	takeCompletion(): { failure?: ArgyleError } | undefined {
		const { completion } = this;
		this.completion = undefined;
		return completion;
	}

	/** A look could not read one of Argyle's lists. `list` names its records. */
	addListFailure(list: string, error: ArgyleError): void {
		this.listFailure = { list, error };
	}

	takeListFailure(): { list: string; error: ArgyleError } | undefined {
		const { listFailure } = this;
		this.listFailure = undefined;
		return listFailure;
	}

	/** Nobody can know which events counted in this period. */
	addGap(gap: Loss): void {
		this.gap = gap;
	}

	takeGap(): Loss | undefined {
		const { gap } = this;
		this.gap = undefined;
		return gap;
	}
}
