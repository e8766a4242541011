import { isJson, type Json } from '../json.mts';

export interface StoredWorkflow {
	id: string;
	name: string;
	versionId: string;
}

export interface PublicationStatus {
	status: string;
	/** Of the triggers that could not be registered. */
	errors: string[];
}

export function toWorkflow({ id, name, versionId }: Json): StoredWorkflow {
	return { id: String(id), name: String(name), versionId: String(versionId) };
}

export function toPublicationStatus({ status, triggers }: Json): PublicationStatus {
	const messages = (Array.isArray(triggers) ? triggers : []).filter(isJson).map(({ errorMessage }) => errorMessage);
	return { status: String(status), errors: messages.filter((message) => typeof message === 'string') };
}
