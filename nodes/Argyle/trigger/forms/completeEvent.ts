import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { getRecord, USER_FORMS } from '../../api/collections';
import type { EventMessage } from '../../api/delivery';
import { connect } from '../../transport/client';
import { asArgyleError } from '../../transport/errors';
import { isUuid } from '../../utils/uuid';

/** Argyle waits 10 s for an answer, and n8n stores the execution in what is left. */
const FETCH_TIMING = { timeoutMs: 3_000, maxElapsedMs: 4_000, minTimeoutMs: 1_000 };

/**
 * For a submitted form `{ userForm }` with its record, or null with `userFormError` when it can't be had within some
 * seconds; `{}` for other events. Never throws: the ids alone are worth more than nothing.
 */
export async function withUserForm(context: IWebhookFunctions, message: EventMessage): Promise<IDataObject> {
	if (message.event !== 'user_forms.submitted') return {};
	const { user_form: id } = message.data;
	if (!isUuid(id)) return { userForm: null, userFormError: 'The event names no user form' };
	return await connect(context, FETCH_TIMING)
		.then(async (client) => await getRecord(client, USER_FORMS, id))
		.then(
			(userForm): IDataObject => ({ userForm }),
			(error: unknown): IDataObject => {
				const { message: what, description } = asArgyleError(error);
				context.logger.warn(`The Argyle Trigger delivers an event without its user form: ${what}`);
				return { userForm: null, userFormError: `${what}. ${description}` };
			},
		);
}
