import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { FORM_SUBMITTED } from '../../api/delivery';
import { ACCOUNTS, getRecord, ownerOf, USER_FORMS } from '../../api/records';
import type { RecordType } from '../../api/recordTypes';
import { type ArgyleClient, connect } from '../../transport/client';
import { ArgyleError, asArgyleError, undefinedWhenNotFound, refused } from '../../transport/errors';
import { clock } from '../../utils/clock';
import { isUuid } from '../../utils/ids';
import { isDataObject } from '../../utils/json';
import { LruMap } from '../../utils/lruMap';
import { includesUserForm } from '../state/settings';
import { COMPLETION, NEW_RECORD, TEST } from '../state/timing';
import type { Trigger } from '../state/trigger';

const MAX_USERS = 10_000;

interface Question {
	user: Promise<string>;
	/** The signal of the execution that asks. A person may stop that execution. */
	signal: AbortSignal | undefined;
}

/** The user of each account, by the credential that asked. It never changes. */
const users = new LruMap<Question>(MAX_USERS);

/** What was asked for, or null with the reason why Argyle did not give it. */
interface Answer<T> {
	value: T | null;
	error?: ArgyleError;
}

/** Reads a record that an event names, which may be there only a moment later. */
async function getNewRecord(client: ArgyleClient, recordType: RecordType, id: string): Promise<IDataObject> {
	for (let waitedMs = 0; waitedMs < NEW_RECORD.maxElapsedMs; waitedMs += NEW_RECORD.pauseMs) {
		const record = await getRecord(client, recordType, id).catch(undefinedWhenNotFound);
		if (record !== undefined) return record;
		await clock.pause(NEW_RECORD.pauseMs, client.signal);
	}
	return await getRecord(client, recordType, id);
}

async function askForForm(client: ArgyleClient, form: unknown): Promise<IDataObject> {
	if (isUuid(form)) return await getNewRecord(client, USER_FORMS, form);
	throw refused('The event names no user form', '');
}

/**
 * Returns the user of the account. Executions that come together ask once. If a person stops the one that asks, another
 * one asks. `sharer` tells who may share an answer.
 */
async function userOf(client: ArgyleClient, account: string, sharer: string): Promise<string> {
	const key = `${client.credentialDigest} ${sharer} ${account}`;
	const { signal } = client;
	for (let other = users.get(key); other !== undefined; other = users.get(key)) {
		const wasStopped = (error: unknown) => {
			if (other?.signal?.aborted !== true || signal?.aborted === true) throw error;
			return undefined;
		};
		const user = await other.user.catch(wasStopped);
		if (user !== undefined) return user;
	}
	const user = getNewRecord(client, ACCOUNTS, account).then(ownerOf);
	const question = { user, signal };
	users.set(key, question);
	void user.catch(() => {
		if (users.get(key) === question) users.delete(key);
	});
	return await user;
}

/** Notes the result for the watch, which reports trouble that lasts. A test, or a retry by a person, does not count. */
function noteCompletion(context: IExecuteFunctions, trigger: Trigger, failure: ArgyleError | undefined): void {
	if (!['webhook', 'trigger'].includes(context.getMode())) return;
	if (failure === undefined || trigger.completion === undefined) trigger.completion = { failure };
}

/**
 * Adds what the event of a submitted form, or one that was made from a record, lacks: whose it is, and what the person
 * wrote. What can't be had
 * within a minute is null, and beside it stands why: one record that can't be read holds nothing up. Other events stay
 * as they are. Never throws. `signal` takes the place of the execution's own.
 */
export async function completeEvent(
	context: IExecuteFunctions,
	trigger: Trigger,
	event: IDataObject,
	signal?: AbortSignal,
): Promise<IDataObject> {
	const { data } = event;
	const isForm = event.event === FORM_SUBMITTED;
	if (!isDataObject(data) || !(isForm || event.reconstructed === true)) return event;
	const { account, ...rest } = data;
	const needsUser = rest.user === undefined && isUuid(account);
	const needsForm =
		isForm && event.userForm === undefined && includesUserForm(context.getNodeParameter('includeUserForm', 0, false));
	if (!needsUser && !needsForm) return event;

	// A test waits only for seconds, so it must not share its wait with others.
	const [limits, sharer] = context.getMode() === 'manual' ? [TEST, 'tests'] : [COMPLETION, 'executions'];
	const connecting = connect(context, { ...limits, ...(signal && { signal }) });
	const ask = async <T>(question: (client: ArgyleClient) => Promise<T>): Promise<Answer<T>> =>
		await connecting.then(question).then(
			(value) => ({ value }),
			(error: unknown) => ({ value: null, error: asArgyleError(error) }),
		);
	const [user, form] = await Promise.all([
		needsUser ? ask(async (client) => await userOf(client, account, sharer)) : undefined,
		needsForm ? ask(async (client) => await askForForm(client, rest.user_form)) : undefined,
	]);
	const failure = user?.error ?? form?.error;
	noteCompletion(context, trigger, failure);
	if (failure !== undefined)
		context.logger.warn(`The Argyle Trigger starts the workflow without user or userForm: ${failure.fullMessage}`);
	return {
		...event,
		...(user && { data: { account, user: user.value, ...rest } }),
		...(user?.error && { userError: user.error.fullMessage }),
		...(form && { userForm: form.value }),
		...(form?.error && { userFormError: form.error.fullMessage }),
	};
}
