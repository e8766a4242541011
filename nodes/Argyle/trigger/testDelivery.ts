import type { IHookFunctions } from 'n8n-workflow';

import { isSubscribed } from '../api/delivery';
import { isOn } from '../shared/parameters';
import type { ArgyleClient } from '../transport/client';
import { isDataObject } from '../utils/json';
import { clock } from '../utils/clock';
import { formEvent } from './formEvent';
import { FormList } from './forms/formList';
import { callOwnUrl } from './delivery/ownUrl';
import { optionsOf } from './settings';
import type { DesiredSubscription } from './subscription/reconcile';
import { FORM_SUBMITTED } from './submittedForm';

/** n8n goes on to register the test when the hook has returned. */
const DELAY_MS = 500;

/**
 * With Test With Newest Form, delivers the account's newest form to the trigger that listens for a test event. Throws
 * ArgyleError when Argyle can't be asked for it.
 */
export async function deliverTestForm(
	context: IHookFunctions,
	client: ArgyleClient,
	{ request, secret }: DesiredSubscription,
): Promise<void> {
	if (!isOn(optionsOf(context), 'testWithNewestForm') || !isSubscribed(FORM_SUBMITTED, request.events)) return;
	const newest = await new FormList(client).newestForm();
	if (newest === undefined) return;
	const message = await formEvent(client, newest, request.name, false);
	void clock.pause(DELAY_MS).then(async () => {
		const answer = await callOwnUrl(context, request.url, secret, message);
		if (!isDataObject(answer) || answer.message !== 'Received') {
			context.logger.warn(
				`n8n could not call its own address ${request.url}, so Test With Newest Form brings nothing: let an event happen instead, or set Receive By to Checking for Forms`,
			);
		}
	});
}
