import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { getRecord, USERS } from '../api/records';
import type { RecordType } from '../api/recordTypes';
import { userIdByExternalId } from '../api/usersByExternalId';
import type { ArgyleClient } from '../transport/client';
import { asArgyleError, undefinedWhenNotFound } from '../transport/errors';
import { isDataObject } from '../utils/json';
import { LruMap } from '../utils/lruMap';
import { readExternalId } from './externalId';
import { readId, readUuid } from './parameters';

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

/** The IDs of the users that a run of a node has looked up by External ID. n8n gives each run a context of its own. */
const lookups = new WeakMap<IExecuteFunctions, Map<string, Promise<string>>>();

/** Asks once for each key. A failure that may pass is forgotten, so that the next item asks again. */
export async function askOnce<T>(answers: Map<string, Promise<T>>, key: string, ask: () => Promise<T>): Promise<T> {
	const answer = answers.get(key) ?? ask();
	answers.set(key, answer);
	answer.catch((error: unknown) => {
		if (asArgyleError(error).details.isTransient) answers.delete(key);
	});
	return await answer;
}

/** The users whom a node has found in an execution, and the number of the run that found them last. */
const found = new LruMap<{ id: string; runIndex: number }>();

/**
 * Resolves with the ID of the user who has the External ID. If nobody has it any more, the user who was found before
 * may be meant:
 *
 * - In the tries of one run, always: an earlier try of *Retry On Fail* may have erased the user, or changed the
 *   External ID.
 * - In another round of a loop, only if the user is gone, because an earlier round may have left unclear whether the
 *   user was erased. A user who still exists may have lost the External ID because it was wrong.
 */
async function lookUp(context: IExecuteFunctions, client: ArgyleClient, externalId: string): Promise<string> {
	// Behind an MCP Server Trigger there is no execution.
	const executionId: string | undefined = context.getExecutionId();
	if (executionId === undefined) return await userIdByExternalId(client, externalId);
	const { $runIndex: runIndex } = context.getWorkflowDataProxy(0);
	const key = JSON.stringify([executionId, context.getNode().id, client.credentialDigest, externalId]);
	const before = found.get(key);
	const isOfThisRun = before?.runIndex === runIndex;
	const isGone = async (id: string) => (await getRecord(client, USERS, id).catch(undefinedWhenNotFound)) === undefined;
	const id = await userIdByExternalId(client, externalId, async () =>
		before !== undefined && (isOfThisRun || (await isGone(before.id))) ? before.id : undefined,
	);
	found.set(key, { id, runIndex });
	return id;
}

async function lookUpOnce(context: IExecuteFunctions, client: ArgyleClient, externalId: string): Promise<string> {
	const ofRun = lookups.get(context) ?? new Map<string, Promise<string>>();
	lookups.set(context, ofRun);
	const key = JSON.stringify([client.credentialDigest, externalId]);
	return await askOnce(ofRun, key, async () => await lookUp(context, client, externalId));
}

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
	const value = readExternalId(context, itemIndex, { fieldName: displayName, value: chosenIn(field), saved });
	return idToFind(context, { ...field, value }, displayName);
}
