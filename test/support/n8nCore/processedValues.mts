import { DataDeduplicationService } from 'n8n-core';
import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	ICheckProcessedOptions,
	IDataDeduplicator,
} from 'n8n-workflow';

/** n8n's table of processed values, of which n8n-core has only the interface: one row for each node of a workflow. */
class ProcessedValues implements IDataDeduplicator {
	/** Values by the workflow's and the node's ID; public so that a test can lose or find some. */
	readonly rows = new Map<string, DeduplicationItemTypes[]>();

	/** Of executions of the present test; those of earlier ones look again for seconds, and get no answer any more. */
	private readonly workflows = new Set<string | undefined>();

	open(workflowId: string): void {
		this.workflows.add(workflowId);
	}

	/** At the end of a test. */
	close(): void {
		this.workflows.clear();
		this.rows.clear();
		this.onAccess = async () => {};
	}

	/** Called before each access. */
	onAccess: () => Promise<void> = async () => {};

	/** Reads and writes the row as a whole, without a transaction, as n8n does. */
	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		{ workflow, node }: ICheckProcessedContextData,
		{ mode, maxEntries }: ICheckProcessedOptions,
	) {
		if (scope !== 'node' || mode !== 'entries' || maxEntries === undefined) throw new Error('not used by the trigger');
		const key = `${workflow.id} ${node?.id}`;
		if (!this.workflows.has(workflow.id)) return await new Promise<never>(() => {});
		const row = [...(this.rows.get(key) ?? [])];
		await this.onAccess();
		const isNew = items.filter((item) => !row.includes(item));
		this.rows.set(key, [...row, ...isNew].slice(-maxEntries));
		return { new: isNew, processed: items.filter((item) => !isNew.includes(item)) };
	}

	async removeProcessed(): Promise<void> {
		throw new Error('not used by the trigger');
	}

	async clearAllProcessedItems(): Promise<void> {
		throw new Error('not used by the trigger');
	}

	async getProcessedDataCount(): Promise<number> {
		throw new Error('not used by the trigger');
	}
}

export const processedValues = new ProcessedValues();

// n8n-core keeps one for the process, which here is a test file.
beforeAll(async () => await DataDeduplicationService.init(processedValues));
