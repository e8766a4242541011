import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { userIdByExternalId } from '../api/usersByExternalId';
import type { ArgyleClient } from '../transport/client';
import { isNothing, unquoted } from '../utils/coerce';
import { isDataObject } from '../utils/json';
import { readRequiredText, readUuid } from './parameters';

/** What was chosen in a resource locator. */
export const chosenIn = (field: IDataObject[string]) => (isDataObject(field) && 'value' in field ? field.value : field);

export const isByExternalId = (field: unknown) => isDataObject(field) && field.mode === 'externalId';

/** Language models put quotes around it. Throws ArgyleError when it is blank. */
export function readExternalId(value: unknown, fieldName: string): string {
	const text = typeof value === 'string' ? unquoted(value) : value;
	return readRequiredText(isNothing(text) ? '' : text, fieldName, 'your own ID of the person');
}

/** Resolves with the ID. It asks Argyle only if an External ID was chosen. */
export type FindId = (client: ArgyleClient) => Promise<string>;

/** The users that a run of a node has looked up, by External ID. n8n gives each run a context of its own. */
const lookups = new WeakMap<IExecuteFunctions, Map<string, Promise<string>>>();

async function lookUpOnce(context: IExecuteFunctions, client: ArgyleClient, externalId: string): Promise<string> {
	const ofRun = lookups.get(context) ?? new Map<string, Promise<string>>();
	lookups.set(context, ofRun);
	const key = JSON.stringify([client.credentialDigest, externalId]);
	const lookup = ofRun.get(key) ?? userIdByExternalId(client, externalId);
	ofRun.set(key, lookup);
	return await lookup;
}

/**
 * Returns how to find the ID that was chosen in a resource locator. Throws ArgyleError, before any request, when the
 * choice can't be an ID. A user's External ID is looked up once in a run of the node.
 */
export function idToFind(context: IExecuteFunctions, field: IDataObject[string], fieldName: string): FindId {
	const value = chosenIn(field);
	if (isByExternalId(field)) {
		const externalId = readExternalId(value, fieldName);
		return async (client) => await lookUpOnce(context, client, externalId);
	}
	const id = readUuid(value, fieldName);
	return async () => id;
}

/** As `idToFind`, of a field of the item. */
export function readIdToFind(
	context: IExecuteFunctions,
	itemIndex: number,
	{ name, displayName }: Pick<INodeProperties, 'name' | 'displayName'>,
): FindId {
	return idToFind(context, context.getNodeParameter(name, itemIndex, ''), displayName);
}
