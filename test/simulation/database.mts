import { ObservableObject } from 'n8n-workflow';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { OtherEvent } from './occurrences.mts';
import type { N8nProcess } from './process.mts';
import type { Random } from './random.mts';

export const TRIGGER_NAME = 'Argyle Trigger';
const OWN_KEY = `node:${TRIGGER_NAME}`;

/** What a person has set in the workflow. */
export interface Version {
	trigger: 'on' | 'disabled' | 'absent';
	receiveBy: 'webhook' | 'polling';
	/** Whether submitted forms are among the events. */
	hasForms: boolean;
	/** The other events that are chosen. */
	others: OtherEvent[];
	catchUp: boolean;
	/** The account of Argyle's to which the chosen credential belongs. */
	tenant: string;
	/** A parameter of the trigger's that decides nothing here. */
	revision: number;
	/** What is changed in other nodes. */
	otherRevision: number;
}

export interface Execution {
	id: number;
	mode: 'webhook' | 'trigger' | 'retry';
	/** What was published when it was stored. */
	version: Version;
	items: INodeExecutionData[];
	/** n8n's deduplication key. */
	key: string | undefined;
	status: 'new' | 'running' | 'success' | 'error' | 'crashed' | 'canceled';
	isOutAtTrigger: boolean;
	/** From when on it has waited for room, where executions have a limit. */
	waitsSince?: number;
	runner?: N8nProcess;
	endedAt?: number;
	error?: string;
	abort: AbortController;
	/** Tells the process that asked for it how it ended. */
	onEnd: (end: { error?: Error } | { rejected: Error }) => void;
}

/** The static data of a workflow as one call or execution has it: a copy of the whole. */
export interface StaticDataCopy {
	root: IDataObject & { __dataChanged: boolean };
	loadedAt: number;
	/** Whether something else than the trigger has written into it since it was saved. */
	isChangedByOthers: boolean;
}

export class DatabaseLocked extends Error {
	override message = 'SQLITE_BUSY: database is locked';
}

/** n8n's database with what concerns one workflow. It outlives all processes. */
export class Database {
	staticData: IDataObject = {};

	/** What is published; n8n records it before it calls the hooks. */
	published: Version | undefined;

	/** Whether n8n takes calls for the trigger's URL. */
	hasRoute = false;

	isLocked = false;

	readonly executions: Execution[] = [];

	/** n8n's processed values: one row for the node, written as a whole; undefined before the first. */
	processed: string[] | undefined;

	/** What our node's writing has done to what others keep in static data, and how long it had a copy of that. */
	readonly spoiled: Array<{ what: string; by: string; heldMs: number }> = [];

	private readonly random: Random;

	private readonly isQueue: boolean;

	constructor(random: Random, isQueue: boolean) {
		this.random = random;
		this.isQueue = isQueue;
	}

	assertWritable(): void {
		if (this.isLocked) throw new DatabaseLocked();
	}

	copyStaticData(now: number, isEmpty = false): StaticDataCopy {
		const stored: IDataObject = isEmpty ? {} : JSON.parse(JSON.stringify(this.staticData));
		const root = ObservableObject.create(stored, undefined, { ignoreEmptyOnFirstChild: true });
		return { root: Object.assign(root, { __dataChanged: false }), loadedAt: now, isChangedByOthers: false };
	}

	/** As n8n's `saveStaticData`: the whole copy, when anything in it was changed. An error is only logged. */
	saveStaticData(copy: StaticDataCopy, by: 'activation' | 'emit' | 'webhook' | 'execution', heldMs = Infinity): void {
		if (!copy.root.__dataChanged || this.isLocked) return;
		const saved: IDataObject = JSON.parse(JSON.stringify(copy.root));
		if (by !== 'activation' && !copy.isChangedByOthers) this.noteSpoiled(saved, by, heldMs);
		this.staticData = saved;
		copy.root.__dataChanged = false;
		copy.isChangedByOthers = false;
	}

	/** Only the trigger has written, so what others keep has to be what it was. */
	private noteSpoiled(saved: IDataObject, by: string, heldMs: number): void {
		for (const key of new Set([...Object.keys(this.staticData), ...Object.keys(saved)])) {
			const [before, after] = [JSON.stringify(this.staticData[key]), JSON.stringify(saved[key])];
			const what = `${by}: ${key} was ${before}, is ${after}`;
			if (key !== OWN_KEY && before !== after) this.spoiled.push({ what, by, heldMs });
		}
	}

	/** As n8n's `checkProcessedAndRecord`: read, then written as a whole, also without a new value; no transaction. */
	async checkProcessed(values: string[], maxEntries: number, process: N8nProcess, busyMs: number) {
		await process.pause(this.random.mostlyShort(1, busyMs));
		this.assertWritable();
		const row = this.processed === undefined ? undefined : [...this.processed];
		await process.pause(this.random.mostlyShort(1, busyMs));
		this.assertWritable();
		if (row === undefined && this.processed !== undefined) throw new Error('UNIQUE constraint failed: processed_data');
		const isNew = values.filter((value) => row?.includes(value) !== true);
		this.processed = [...(row ?? []), ...isNew].slice(-maxEntries);
		return { new: isNew, processed: values.filter((value) => !isNew.includes(value)) };
	}

	/** Stores an execution. Returns undefined when there is one with its key already. */
	store(fields: Pick<Execution, 'mode' | 'version' | 'items' | 'key' | 'onEnd'>): Execution | undefined {
		this.assertWritable();
		const { key } = fields;
		const twin = key === undefined ? undefined : this.executions.find((other) => other.key === key);
		if (twin !== undefined && twin.status !== 'new') return undefined;
		// It runs all the same where it was handed on already; in queue mode its job finds nothing any more.
		if (twin !== undefined && this.isQueue) twin.status = 'canceled';
		if (twin !== undefined) twin.key = undefined;
		const id = this.executions.length + 1;
		const execution: Execution = {
			...fields,
			id,
			status: 'new',
			isOutAtTrigger: false,
			abort: new AbortController(),
		};
		this.executions.push(execution);
		return execution;
	}
}
