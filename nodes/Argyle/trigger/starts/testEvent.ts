import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { FORM_SUBMITTED } from '../../api/delivery';
import { eventOfKey } from '../../api/eventSources';
import { defaultName } from '../../shared/subscriptionRequest';
import { readBoolean } from '../../shared/parameters';
import { connect } from '../../transport/client';
import { completeEvent } from './completeEvent';
import { listedEvent, listsOf } from './eventList';
import { byAge, type ListedRecord } from '../state/listedRecord';
import { checkedEvents, includesUser, isLeftOut } from '../state/settings';
import { TEST } from '../state/timing';
import type { Trigger } from '../state/trigger';

const SAMPLE_NOTE =
	"This is a sample, because the Argyle account has no user form yet. Map its fields: a real form has the same ones. To get one, search in Argyle Link for an employer that isn't listed, and fill in the form.";

/** A test reads no whole list, so an older record may tell of such an event. */
const OTHER_SAMPLE_NOTE =
	"This is a sample, because none of Argyle's newest records tells of such an event. Map its fields: a real event has the same ones.";

const SAMPLE_NAME = 'SAMPLE – no such event was found';

const ACCOUNT = '00000000-0000-4000-8000-0000000000a1';
const USER = '00000000-0000-4000-8000-0000000000b1';
const FORM = '00000000-0000-4000-8000-0000000000c1';
const TIME = '2026-01-15T09:30:00.000Z';

/**
 * The event that the first form of an account would bring. Its `name` says that it is a sample, wherever the item goes.
 */
export const SAMPLE_EVENT = {
	event: FORM_SUBMITTED,
	name: 'SAMPLE – this account has no user form yet',
	data: { account: ACCOUNT, user: USER, user_form: FORM },
	reconstructed: true,
	user: {
		id: USER,
		external_id: 'SAMPLE – not a real person',
		first_name: 'Sam',
		last_name: 'Sample',
		email: 'sam.sample@example.com',
		phone_number: '+15550100',
	},
	userForm: {
		id: FORM,
		account: ACCOUNT,
		data: { income_source: 'Sample Bakery', payroll_provider: 'Sample Payroll' },
		created_at: TIME,
		updated_at: TIME,
	},
};

/** Whether a person tests a trigger to which nothing is delivered: n8n starts it with an empty item. */
export function needsTestEvent(context: IExecuteFunctions): boolean {
	if (context.getMode() !== 'manual' || context.getNodeParameter('receiveBy', 0, 'webhook') !== 'polling') return false;
	return context.getInputData().every(({ json }) => !('event' in json));
}

/** Returns an event with made-up IDs, for an account where no such event was found. */
function sampleOf([event]: string[], includeUserForm: boolean, includeUser: boolean): IDataObject {
	const { user, userForm, ...form } = SAMPLE_EVENT;
	const person = includeUser ? { user } : {};
	if (event === FORM_SUBMITTED) return { ...form, ...person, ...(includeUserForm && { userForm }) };
	const status = event.startsWith('reports') ? 'generated' : { state: 'COMPLETED' };
	const connection = { updated_at: TIME, error_code: 'auth_required', error_message: 'Log in again.' };
	const ofAccount = { connection, direct_deposit_switch: connection, ongoing_refresh: { status: 'enabled' } };
	const record = { id: FORM, account: ACCOUNT, user: USER, type: 'voie', status, ...ofAccount };
	return { ...listedEvent({ key: `${event} ${FORM}`, record }, { name: SAMPLE_NAME, includeUserForm }), ...person };
}

/** The newest of the events that are checked for, or a sample where there is none. */
export async function testEvent(context: IExecuteFunctions, trigger: Trigger): Promise<IDataObject> {
	const includeUserForm = readBoolean(context.getNodeParameter('includeUserForm', 0, false), 'Include User Form');
	const events = checkedEvents(context.getNodeParameter('events', 0, [FORM_SUBMITTED]));
	const options = context.getNodeParameter('options', 0, {});
	const lists = listsOf(await connect(context, TEST), events);
	for (const list of lists) await list.newestEvent();
	const isChosen = (event: ListedRecord) => events.includes(eventOfKey(event.key)) && !isLeftOut(event, options);
	const newest = lists
		.flatMap((list) => list.events.filter(isChosen))
		.sort(byAge)
		.at(-1);
	if (newest !== undefined) {
		const name = defaultName(context.getWorkflow());
		return await completeEvent(context, trigger, listedEvent(newest, { name, includeUserForm }));
	}
	context.addExecutionHints({ message: events.includes(FORM_SUBMITTED) ? SAMPLE_NOTE : OTHER_SAMPLE_NOTE });
	return sampleOf(events, includeUserForm, includesUser(options));
}
