import type { IDataObject } from 'n8n-workflow';

import { isDataObject } from '../utils/json';
import { isUuid } from '../utils/uuid';
import { readState, type TriggerState, writeState } from './staticData';

export const FORM_SUBMITTED = 'user_forms.submitted';

/** The ID of the form that the event message reports, undefined for other events. */
export function submittedForm({ event, data }: IDataObject): string | undefined {
	if (event !== FORM_SUBMITTED || !isDataObject(data)) return undefined;
	return isUuid(data.user_form) ? data.user_form : undefined;
}

/** Brings what static data holds to the process that runs the execution, where `execute()` takes it out again. */
const STATE_FIELD = 'argyleTriggerState';

export function withState(
	item: IDataObject,
	{ registered, bookmark }: Omit<TriggerState, 'startedForms'>,
): IDataObject {
	const state: IDataObject = {};
	writeState(state, { registered, bookmark, startedForms: [] });
	return { ...item, [STATE_FIELD]: state };
}

export function takeState({ [STATE_FIELD]: state, ...item }: IDataObject): { item: IDataObject; state: TriggerState } {
	return { item, state: readState(isDataObject(state) ? state : {}) };
}
