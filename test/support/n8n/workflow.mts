import { isJson, type Json } from '../json.mts';

export interface StoredWorkflow {
	id: string;
	name: string;
	versionId: string;
	nodes: unknown[];
}

export interface PublicationStatus {
	status: string;
	triggers: Array<{ status: string; errorMessage: string | null }>;
}

export function toWorkflow({ id, name, versionId, nodes }: Json): StoredWorkflow {
	return {
		id: String(id),
		name: String(name),
		versionId: String(versionId),
		nodes: Array.isArray(nodes) ? nodes : [],
	};
}

export function toPublicationStatus({ status, triggers }: Json): PublicationStatus {
	const list = (Array.isArray(triggers) ? triggers : []).filter(isJson);
	return {
		status: String(status),
		triggers: list.map((trigger) => ({
			status: String(trigger.status),
			errorMessage: typeof trigger.errorMessage === 'string' ? trigger.errorMessage : null,
		})),
	};
}
