import { parse } from 'flatted';
import { isJson, type Json } from '../json.mts';

export interface ListedExecution {
	id: string;
	status: string;
	mode: string;
}

export interface OutputItem {
	json: Json;
	binary?: Record<string, { id?: string; data: string; fileName?: string; mimeType: string }>;
}

export interface FullExecution extends ListedExecution {
	/** The first output of each node's first run, by the node's name. */
	output: Record<string, OutputItem[]>;
	/** By what it can be found in n8n's list. */
	customData: unknown;
	error: string | undefined;
}

export function toListedExecution({ id, status, mode }: Json): ListedExecution {
	return { id: String(id), status: String(status), mode: String(mode) };
}

/** n8n's REST API returns the data of an execution as a string of the package `flatted`. */
export function toFullExecution(execution: Json): FullExecution {
	const run: unknown = parse(String(execution.data));
	const result = isJson(run) && isJson(run.resultData) ? run.resultData : {};
	const output: Record<string, OutputItem[]> = {};
	for (const [node, tasks] of Object.entries(isJson(result.runData) ? result.runData : {}))
		output[node] = firstOutput(tasks);
	return {
		...toListedExecution(execution),
		output,
		customData: execution.customData,
		error: isJson(result.error) ? String(result.error.message) : undefined,
	};
}

const isItem = (value: unknown): value is OutputItem => isJson(value) && isJson(value.json);

function firstOutput(tasks: unknown): OutputItem[] {
	const [task]: unknown[] = Array.isArray(tasks) ? tasks : [];
	const main = isJson(task) && isJson(task.data) ? task.data.main : undefined;
	const [items]: unknown[] = Array.isArray(main) ? main : [];
	return Array.isArray(items) ? items.filter(isItem) : [];
}
