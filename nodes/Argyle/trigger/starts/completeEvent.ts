import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { FORM_SUBMITTED } from '../../api/delivery';
import { ACCOUNTS, getPerson, getRecord, ownerOf, USER_FORMS } from '../../api/records';
import type { RecordType } from '../../api/recordTypes';
import { type ArgyleClient, connect } from '../../transport/client';
import { ArgyleError, asArgyleError, undefinedWhenNotFound, refused } from '../../transport/errors';
import { clock } from '../../utils/clock';
import { isUuid } from '../../utils/ids';
import { isDataObject } from '../../utils/json';
import { includesUser, includesUserForm } from '../state/settings';
import { COMPLETION, NEW_RECORD, PERSON_MS, TEST } from '../state/timing';
import type { Trigger } from '../state/trigger';
import { SharedAnswers } from './sharedAnswers';

/** The user of each account, by API key and account. The user of an account never changes. */
const owners = new SharedAnswers<string>(Infinity);

const people = new SharedAnswers<IDataObject>(PERSON_MS);

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
	throw refused('The event names no user form');
}

/**
 * Notes the result for the watch, which reports trouble that lasts. These don't count: a test or a retry by a person,
 * an execution that was stopped, and a record that is gone, because another event has another record.
 */
function noteCompletion(context: IExecuteFunctions, trigger: Trigger, failure: ArgyleError | undefined): void {
	const isStopped = context.getExecutionCancelSignal()?.aborted === true;
	if (!['webhook', 'trigger'].includes(context.getMode()) || isStopped || failure?.details.statusCode === 404) return;
	const { completion } = trigger.notes;
	const before = completion.take();
	completion.write(failure === undefined || before === undefined ? { failure } : before);
}

/** Returns the ID of the user whose account it is. Only calls with the same `sharer` share an answer. */
async function askForOwner(client: ArgyleClient, sharer: string, account: string): Promise<string> {
	const key = `${client.credentialDigest} ${sharer} ${account}`;
	return await owners.get(key, client.signal, async () => ownerOf(await getNewRecord(client, ACCOUNTS, account)));
}

async function askForPerson(
	client: ArgyleClient,
	sharer: string,
	{ user, account }: IDataObject,
): Promise<IDataObject> {
	const id = isUuid(user) ? user : await askForOwner(client, sharer, String(account));
	const key = `${client.credentialDigest} ${sharer} ${id}`;
	return await people.get(key, client.signal, async () => await getPerson(client, id));
}

/** Whether the event may come without its user. A form may, and so may an event that was made from a record. */
const mayLackUser = ({ event, reconstructed }: IDataObject) => event === FORM_SUBMITTED || reconstructed === true;

/**
 * Returns what the event lacks: the ID of its user (`owner`), what the person wrote (`form`), who the user is
 * (`person`).
 */
function lackOf(context: IExecuteFunctions, event: IDataObject, { user, account }: IDataObject) {
	const isForm = event.event === FORM_SUBMITTED;
	const wantsForm = isForm && includesUserForm(context.getNodeParameter('includeUserForm', 0, false));
	const wantsPerson = (isUuid(user) || isUuid(account)) && includesUser(context.getNodeParameter('options', 0, {}));
	return {
		owner: mayLackUser(event) && user === undefined && isUuid(account),
		form: wantsForm && event.userForm === undefined,
		person: wantsPerson && event.user === undefined,
	};
}

/**
 * Adds what the trigger has to bring beyond what Argyle delivers: the user of a form, or of an event that was made from
 * a record; what the person wrote; and for any event who its user is. What Argyle does not give within a minute is
 * null, with the reason beside it. So a record that can't be read does not stop the workflow. Throws only when an
 * expression of the trigger fails. `signal` takes the place of the execution's own.
 */
export async function completeEvent(
	context: IExecuteFunctions,
	trigger: Trigger,
	event: IDataObject,
	signal?: AbortSignal,
): Promise<IDataObject> {
	const { data } = event;
	if (!isDataObject(data)) return event;
	const lack = lackOf(context, event, data);
	if (!lack.owner && !lack.form && !lack.person) return event;

	// A test waits only for seconds, so it must not share a request with an execution that waits for a minute.
	const [limits, sharer] = context.getMode() === 'manual' ? [TEST, 'tests'] : [COMPLETION, 'executions'];
	const connecting = connect(context, { ...limits, ...(signal && { signal }) });
	const ask = async <T>(question: (client: ArgyleClient) => Promise<T>): Promise<Answer<T>> =>
		await connecting.then(question).then(
			(value) => ({ value }),
			(error: unknown) => ({ value: null, error: asArgyleError(error) }),
		);
	const { account, ...rest } = data;
	const [owner, form, person] = await Promise.all([
		lack.owner ? ask(async (client) => await askForOwner(client, sharer, String(account))) : undefined,
		lack.form ? ask(async (client) => await askForForm(client, rest.user_form)) : undefined,
		lack.person ? ask(async (client) => await askForPerson(client, sharer, data)) : undefined,
	]);
	const userError = owner?.error ?? person?.error;
	const failure = userError ?? form?.error;
	if (mayLackUser(event)) noteCompletion(context, trigger, failure);
	if (failure !== undefined)
		context.logger.warn(`The Argyle Trigger starts the workflow without user or userForm: ${failure.fullMessage}`);
	return {
		...event,
		...(owner && { data: { account, user: owner.value, ...rest } }),
		...(person && { user: person.value }),
		...(userError && { userError: userError.fullMessage }),
		...(form && { userForm: form.value }),
		...(form?.error && { userFormError: form.error.fullMessage }),
	};
}
