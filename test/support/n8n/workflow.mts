import { isJson, type Json } from '../json.mts';

export interface StoredWorkflow {
	id: string;
	name: string;
	versionId: string;
	/** Empty where none is published. */
	publishedVersionId: string;
}

export interface PublicationStatus {
	status: string;
	/** Of the triggers that could not be registered. */
	errors: string[];
}

export function toWorkflow({ id, name, versionId, activeVersionId }: Json): StoredWorkflow {
	const published = String(activeVersionId ?? '');
	return { id: String(id), name: String(name), versionId: String(versionId), publishedVersionId: published };
}

export function toPublicationStatus({ status, triggers }: Json): PublicationStatus {
	const messages = (Array.isArray(triggers) ? triggers : []).filter(isJson).map(({ errorMessage }) => errorMessage);
	return { status: String(status), errors: messages.filter((message) => typeof message === 'string') };
}
