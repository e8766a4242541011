import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { AttemptOf } from '../api/writeOnce';
import type { ArgyleClient, RequestLimits } from '../transport/client';

/** How one item reaches Argyle. */
export interface ItemCall {
	/** Connects with the item's credential. `limits` are those that the operation sets for all its requests. */
	connect(limits?: RequestLimits): Promise<ArgyleClient>;
	/** For `writeOnce`. */
	attemptOf: AttemptOf;
}

/** What an operation does with the items of one execution. */
export interface ItemProcessing {
	/** How many items are processed at a time. @default many for what only reads, else one */
	concurrency?: number;
	execute(context: IExecuteFunctions, itemIndex: number, call: ItemCall): Promise<INodeExecutionData[]>;
	/**
	 * Waits for what takes time at Argyle. It is called after all items were processed, for all of them at the same time.
	 */
	finish?(
		context: IExecuteFunctions,
		itemIndex: number,
		items: INodeExecutionData[],
		call: ItemCall,
	): Promise<INodeExecutionData[]>;
	/** What an item that failed says beside its error. */
	resultOf?(caught: unknown, itemIndex: number): IDataObject;
	/** Returns the failure that ends the run, and adds what was done before. @default names the items by their numbers */
	stopped?(caught: unknown, itemIndex: number): unknown;
}

/**
 * What an operation does to the world. A person can take back what `changes` does. An agent may do what `reads` and
 * `changes` stand for. For any other effect, whoever builds the workflow has to allow the operation.
 */
export type Effect =
	| 'reads'
	| 'changes'
	/** Such as a verification that is cancelled. */
	| 'endsForGood'
	/** Such as a user who is deleted, with all data. */
	| 'erases'
	/** Such as a subscription, which sends events to an address. */
	| 'givesAccess'
	/** Something that may cost money, or that nobody can take back. */
	| 'orders'
	/** What nobody can bring back. */
	| 'overwrites'
	| 'writesToPeople';

export interface OperationDescription {
	/** As saved in workflows. */
	value: string;
	/** As the list of operations shows it, in Title Case. */
	name: string;
	/** As the node's list of actions shows it, such as "Create a webhook subscription". */
	action: string;
	description: string;
	effect: Effect;
	fields: INodeProperties[];
}

/** `prepare` is for operations that look at all items first, or whose settings are the same for all. */
export type Operation = OperationDescription &
	(ItemProcessing | { prepare(context: IExecuteFunctions): ItemProcessing });

/**
 * For what only reads. It uses the whole rate that Argyle allows as long as responses take less than five seconds, and
 * leaves it to the rate limiter how many requests really are under way.
 */
export const READ_CONCURRENCY = 250;

/** What writes processes one item after the other, and stops at the first failure. */
export const concurrencyFor = (effect: Effect) => (effect === 'reads' ? READ_CONCURRENCY : 1);

export interface Resource {
	value: string;
	name: string;
	operations: Operation[];
}
