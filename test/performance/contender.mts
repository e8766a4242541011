import type { SavedNode } from '../support/n8n/nodes.mts';

/** One of the ways to do the same thing that a bench compares. */
export interface Contender {
	name: string;
	/** The nodes that differ between the contenders; the bench adds what they have in common. */
	nodes: SavedNode[];
}

/** A contender that receives events. */
export interface TriggerContender extends Contender {
	/** What the service sends for an event with this id: one delivery for each of its subscriptions. */
	deliveriesOf(eventId: string): Delivery[];
}

export interface Delivery {
	url: string;
	body: string;
	headers: Record<string, string>;
}
