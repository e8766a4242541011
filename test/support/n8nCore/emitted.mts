import { createEmptyRunExecutionData, type IDataObject, type IRun, NodeOperationError } from 'n8n-workflow';
import type { Emission } from './triggerCalls.mts';

/** An execution that the trigger started by itself. */
export interface Emitted extends Emission {
	/** What the trigger puts out in the execution, once that has ended in this process. */
	output?: IDataObject[];
	/** What it failed with there. */
	error?: unknown;
}

/** What becomes of the executions that the trigger starts by itself. */
export type Executions =
	| 'run'
	| 'run elsewhere'
	| 'are killed elsewhere'
	| 'wait'
	| 'are dropped'
	| 'are not stored'
	| 'are refused with a promise';

/** What n8n resolves the promise of an execution with. */
export const ENDED: IRun = {
	data: createEmptyRunExecutionData(),
	mode: 'trigger',
	startedAt: new Date(0),
	status: 'success',
	storedAt: 'db',
};

/** And when it has failed at a node, undefined where its worker was killed: n8n can't tell where it was. */
export function failedAt(lastNodeExecuted: string | undefined, error = new Error('job stalled')): IRun {
	const data = createEmptyRunExecutionData();
	Object.assign(data.resultData, { error, lastNodeExecuted });
	return { ...ENDED, data, status: 'error' };
}

/** Of one that has failed in the trigger. */
export function failedRun(caught: unknown): IRun {
	if (!(caught instanceof NodeOperationError)) throw caught;
	return failedAt('Node', caught);
}
