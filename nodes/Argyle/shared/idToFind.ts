import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { RecordType } from '../api/recordTypes';
import type { ArgyleClient } from '../transport/client';
import { isDataObject } from '../utils/json';
import { readExternalId } from './externalId';
import { readId, readUuid } from './parameters';
import { lookUpOnce } from './userLookup';

/** Returns what was chosen in a resource locator, or the value of another kind of field as it is. */
export const chosenIn = (field: IDataObject[string]) => (isDataObject(field) && 'value' in field ? field.value : field);

/**
 * If a search has not covered a whole list, the last entry of the results says so, because n8n can show that only as an
 * entry. This is the entry's value. Whoever chooses the entry reads that a choice is missing.
 */
export const NO_CHOICE = ' ';

/**
 * Whether somebody has chosen the entry with the value `NO_CHOICE`. That person was looking for a record, so the field
 * does not count as empty.
 */
export const isNoChoice = (field: unknown) => isDataObject(field) && field.mode === 'list' && field.value === NO_CHOICE;

export const isByExternalId = (field: unknown): field is IDataObject =>
	isDataObject(field) && field.mode === 'externalId';

export const idReaderOf = ({ hasAnyId = false }: RecordType) => (hasAnyId ? readId : readUuid);

/** Resolves with the ID. Asks Argyle only if an External ID was chosen. */
export type FindId = (client: ArgyleClient) => Promise<string>;

/**
 * Returns how to find the ID that was chosen in a resource locator. Throws ArgyleError, before any request, when the
 * choice can't be an ID. A user's External ID, which `readExternalId` has read, is looked up once in a run of the node.
 */
export function idToFind(
	context: IExecuteFunctions,
	field: IDataObject[string],
	fieldName: string,
	read = readUuid,
): FindId {
	const value = chosenIn(field);
	if (isByExternalId(field)) return async (client) => await lookUpOnce(context, client, String(value));
	const id = read(value, fieldName);
	return async () => id;
}

/** As `idToFind`, for the choice that the item has in a field. */
export function readIdToFind(
	context: IExecuteFunctions,
	itemIndex: number,
	{ name, displayName }: Pick<INodeProperties, 'name' | 'displayName'>,
	read = readUuid,
): FindId {
	const field = context.getNodeParameter(name, itemIndex, '');
	if (!isByExternalId(field)) return idToFind(context, field, displayName, read);
	const saved = chosenIn(context.getNodeParameter(name, itemIndex, '', { rawExpressions: true }));
	const given = { fieldName: displayName, value: chosenIn(field), saved };
	const externalId = readExternalId(context, itemIndex, given);
	return async (client) => await lookUpOnce(context, client, externalId);
}
