import type { IDataObject } from 'n8n-workflow';

import { isDataObject } from '../utils/json';
import { isUuid } from '../utils/uuid';

export const FORM_SUBMITTED = 'user_forms.submitted';

/** The ID of the form that the event message reports, undefined for other events. */
export function submittedForm({ event, data }: IDataObject): string | undefined {
	if (event !== FORM_SUBMITTED || !isDataObject(data)) return undefined;
	return isUuid(data.user_form) ? data.user_form : undefined;
}

/** Brings the bookmark to the process that runs the execution, where `execute()` takes it out of the item again. */
const BOOKMARK_FIELD = 'argyleTriggerBookmark';

export function withBookmark(item: IDataObject, bookmark: number | undefined): IDataObject {
	return bookmark === undefined ? item : { ...item, [BOOKMARK_FIELD]: bookmark };
}

export function takeBookmark({ [BOOKMARK_FIELD]: bookmark, ...item }: IDataObject): {
	item: IDataObject;
	bookmark: number | undefined;
} {
	return { item, bookmark: typeof bookmark === 'number' ? bookmark : undefined };
}
