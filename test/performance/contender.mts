import type { N8nClient } from '../support/n8n/client.mts';
import type { StoredWorkflow } from '../support/n8n/workflow.mts';
import { inARow, type SavedNode } from '../support/n8n/nodes.mts';

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

export async function publishWorkflow(client: N8nClient, name: string, nodes: SavedNode[]): Promise<StoredWorkflow> {
	const workflow = await client.createWorkflow(name, nodes, inARow(nodes));
	await client.publish(workflow);
	return workflow;
}
