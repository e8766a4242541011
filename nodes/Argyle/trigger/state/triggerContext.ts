import type { IDataObject, INodeCredentials } from 'n8n-workflow';
import { createHash } from 'node:crypto';

/** What all contexts of n8n know of a trigger. */
export interface TriggerContext {
	getNode(): { id: string; credentials?: INodeCredentials };
	getWorkflow(): { id?: string };
	getWorkflowStaticData(type: string): IDataObject;
	getInstanceId(): string;
}

/** The key has the workflow's ID as well, because a copied workflow keeps the IDs of its nodes. */
export const keyOf = (context: TriggerContext) => `${context.getWorkflow().id} ${context.getNode().id}`;

/** An n8n is recognized by its encryption key, because its address may change. */
export function ownerOf(context: TriggerContext): string {
	const parts = [context.getInstanceId(), context.getNode().id];
	return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}
