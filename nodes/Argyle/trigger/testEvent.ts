import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { readBoolean } from '../shared/parameters';
import { connect } from '../transport/client';
import { formEvent } from './formEvent';
import { FormList } from './forms/formList';
import { defaultName } from './settings';
import { SAMPLE_EVENT, SAMPLE_NOTE } from './sampleEvent';

/** A person is looking at the screen. */
const TIMING = { timeoutMs: 10_000, maxElapsedMs: 15_000 };

/** Whether a person tests a trigger to which nothing is delivered: n8n starts it with an empty item. */
export function needsTestEvent(context: IExecuteFunctions): boolean {
	if (context.getMode() !== 'manual' || context.getNodeParameter('receiveBy', 0, 'webhook') !== 'polling') return false;
	return context.getInputData().every(({ json }) => !('event' in json));
}

/** The newest form of the account, or a sample where there is none. Throws ArgyleError when Argyle can't be asked. */
export async function testEvent(context: IExecuteFunctions): Promise<IDataObject> {
	const includeUserForm = readBoolean(context.getNodeParameter('includeUserForm', 0, true), 'Include User Form');
	const client = await connect(context, TIMING);
	const newest = await new FormList(client).newestForm();
	if (newest !== undefined) {
		return await formEvent(client, newest, defaultName(context.getWorkflow()), includeUserForm);
	}
	context.addExecutionHints({ message: SAMPLE_NOTE });
	const { userForm, ...event } = SAMPLE_EVENT;
	return includeUserForm ? { ...event, userForm } : event;
}
