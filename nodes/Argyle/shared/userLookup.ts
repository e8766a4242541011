import type { IExecuteFunctions } from 'n8n-workflow';

import { getRecord, USERS } from '../api/records';
import { userIdByExternalId } from '../api/usersByExternalId';
import type { ArgyleClient } from '../transport/client';
import { asArgyleError, undefinedWhenNotFound } from '../transport/errors';
import { LruMap } from '../utils/lruMap';

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

/** As `lookUp`, but asks once for each External ID in a run of the node. */
export async function lookUpOnce(
	context: IExecuteFunctions,
	client: ArgyleClient,
	externalId: string,
): Promise<string> {
	const ofRun = lookups.get(context) ?? new Map<string, Promise<string>>();
	lookups.set(context, ofRun);
	const key = JSON.stringify([client.credentialDigest, externalId]);
	return await askOnce(ofRun, key, async () => await lookUp(context, client, externalId));
}
