import { isJson, type Json } from '../json.mts';

export interface StoredWorkflow {
	id: string;
	name: string;
	versionId: string;
}

export interface PublicationStatus {
	status: string;
	triggers: Array<{ status: string; errorMessage: string | null }>;
}

export function toWorkflow({ id, name, versionId }: Json): StoredWorkflow {
	return { id: String(id), name: String(name), versionId: String(versionId) };
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
