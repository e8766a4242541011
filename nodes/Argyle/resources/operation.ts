import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { AttemptOf } from '../api/writeOnce';
import type { ArgyleClient, RequestLimits } from '../transport/client';

/** How one item reaches Argyle. */
export interface ItemCall {
	/** Connects with the item's credential. `limits` hold for all requests of the operation. */
	connect(limits?: RequestLimits): Promise<ArgyleClient>;
	/** What `writeOnce` needs. */
	attemptOf: AttemptOf;
	/** How another item of the run reaches Argyle. */
	of(itemIndex: number): ItemCall;
}

/** How an operation processes the items of one run of the node. */
export interface ItemProcessing {
	/** How many items are processed at a time. @default `READ_CONCURRENCY` if the operation only reads, otherwise one */
	concurrency?: number;
	execute(context: IExecuteFunctions, itemIndex: number, call: ItemCall): Promise<INodeExecutionData[]>;
	/**
	 * Waits for what takes time at Argyle. When all items have been processed, this is called for all of them at the same
	 * time.
	 */
	finish?(
		context: IExecuteFunctions,
		itemIndex: number,
		items: INodeExecutionData[],
		call: ItemCall,
	): Promise<INodeExecutionData[]>;
	/** The fields that an item which failed has beside its error. */
	resultOf?(caught: unknown, itemIndex: number): IDataObject;
	/**
	 * Returns the failure that ends the run, with words about what was done before it. @default those words give the
	 * numbers of the items that were done
	 */
	stopped?(caught: unknown, itemIndex: number): unknown;
}

/**
 * What an operation does to the world. A person can take back what `changes` does. An agent may use operations with the
 * effect `reads` or `changes`. Whoever builds the workflow has to allow all others.
 */
export type Effect =
	| 'reads'
	| 'changes'
	/** For example, a verification is cancelled. */
	| 'endsForGood'
	/** For example, a user is deleted with all data. */
	| 'erases'
	/** For example, a subscription sends events to an address. */
	| 'givesAccess'
	/** Something that may cost money, or that nobody can take back. */
	| 'orders'
	/** Nobody can bring back what was there before. */
	| 'overwrites'
	| 'writesToPeople';

export interface OperationDescription {
	/** The value that saved workflows hold. */
	value: string;
	/** As the list of operations shows it, in Title Case. */
	name: string;
	/** As the node's list of actions shows it, such as "Create a webhook subscription". */
	action: string;
	description: string;
	effect: Effect;
	fields: INodeProperties[];
}

/**
 * `prepare` is for operations that look at all items before the first, or have settings that are the same for all
 * items.
 */
export type Operation = OperationDescription &
	(ItemProcessing | { prepare(context: IExecuteFunctions): ItemProcessing | Promise<ItemProcessing> });

/**
 * How many items an operation that only reads processes at a time. As long as responses take less than five seconds,
 * these are enough to use the whole rate that Argyle allows. The rate limiter decides how many requests are really
 * under way.
 */
export const READ_CONCURRENCY = 250;

/**
 * An operation that does more than read processes one item after the other. So if it stops at a failure, no later item
 * was begun.
 */
export const concurrencyFor = (effect: Effect) => (effect === 'reads' ? READ_CONCURRENCY : 1);

export interface Resource {
	value: string;
	name: string;
	operations: Operation[];
}
