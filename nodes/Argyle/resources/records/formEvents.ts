import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { ACCOUNTS, getPerson, getRecord, ownerOf } from '../../api/records';
import { FORM_SUBMITTED } from '../../api/delivery';
import { defaultName } from '../../shared/subscriptionRequest';
import { readDisclosure } from '../../shared/parameters';
import type { ArgyleClient } from '../../transport/client';
import { asArgyleError } from '../../transport/errors';
import { mapConcurrently } from '../../utils/concurrency';
import { isUuid } from '../../utils/ids';

export const asEventsField: INodeProperties = {
	displayName: 'Output as Trigger Items',
	name: 'asEvents',
	type: 'boolean',
	default: true,
	description:
		'Whether each form comes out like an item of an Argyle Trigger with Include User on, with user and userForm, so that the nodes after the trigger can run again. As in the trigger, nothing is masked.',
};

/** Reads the option as strictly as Include Sensitive Data, because the forms come out unmasked, as in the trigger. */
export const wantsEvents = (context: IExecuteFunctions, itemIndex: number): boolean =>
	readDisclosure(context, itemIndex, asEventsField.name, asEventsField.displayName);

interface FormUser {
	id: string | null;
	user: IDataObject | null;
	userError?: string;
}

/**
 * Finds the user of an account and the user's details, for fields as in the trigger's output. What can't be found is
 * null, and `userError` says why.
 */
async function askForUser(client: ArgyleClient, account: unknown): Promise<FormUser> {
	if (!isUuid(account)) return { id: null, user: null, userError: 'The form names no account' };
	let id: string | null = null;
	try {
		id = ownerOf(await getRecord(client, ACCOUNTS, account));
		return { id, user: await getPerson(client, id) };
	} catch (error) {
		return { id, user: null, userError: asArgyleError(error).fullMessage };
	}
}

/**
 * Returns the events with which an Argyle Trigger would have started the workflow for these forms, oldest first. Argyle
 * is asked once for each account.
 */
export async function toFormEvents(
	context: IExecuteFunctions,
	client: ArgyleClient,
	forms: IDataObject[],
): Promise<IDataObject[]> {
	const accounts = [...new Set(forms.map(({ account }) => account))];
	const found = await mapConcurrently(
		{ count: accounts.length, concurrency: 25, signal: client.signal },
		async (index, { onWaiting }) => {
			onWaiting();
			return await askForUser(client, accounts[index]);
		},
	);
	const owners = new Map(accounts.map((account, index) => [account, found[index]]));
	const name = defaultName(context.getWorkflow());
	return [...forms]
		.sort((one, other) => Date.parse(String(one.created_at)) - Date.parse(String(other.created_at)))
		.map((userForm) => {
			const { account, id } = userForm;
			const { id: user = null, ...person } = owners.get(account) ?? {};
			return { event: FORM_SUBMITTED, name, data: { account, user, user_form: id }, ...person, userForm };
		});
}
