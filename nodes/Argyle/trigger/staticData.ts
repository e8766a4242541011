import type { IDataObject } from 'n8n-workflow';

import { isDataObject } from '../utils/json';

/**
 * The subscription that was registered last, which is only named in messages, because static data travels with copies;
 * or the newest form of the account whose forms are asked for.
 */
export interface RegisteredSubscription {
	/** Undefined once the subscription was removed, or when there was no form. */
	id?: string;
	/** Undefined for a form. */
	url?: string;
	/** As `ArgyleClient.account`. */
	account: string;
	/** As the credential's screen shows it. */
	environment: string;
}

/** What the trigger keeps in the node's static data. Nothing in it is secret, and nothing in it is trusted. */
export interface TriggerState {
	registered?: RegisteredSubscription;
	/** Forms up to this time, in milliseconds since 1970 by Argyle's clock, are dealt with. */
	bookmark?: number;
	/** The IDs of the forms that started the workflow last, the latest at the end. */
	startedForms: string[];
}

/** Enough for the ten minutes of the bookmark; one beyond them costs an execution that ends at the trigger. */
const MAX_STARTED_FORMS = 500;

/** In one text: n8n wraps each value of an array for each delivery and execution, which takes it ten times as long. */
const SEPARATOR = ' ';

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function readRegistered(value: unknown): RegisteredSubscription | undefined {
	if (!isDataObject(value)) return undefined;
	const { id, url, account, environment } = value;
	if (!isText(account) || !isText(environment)) return undefined;
	return { ...(isText(id) ? { id } : {}), ...(isText(url) ? { url } : {}), account, environment };
}

/** Leaves out everything that is not as it should be: static data can be imported, edited or of an older version. */
export function readState({ registered, bookmark, startedForms }: IDataObject): TriggerState {
	const time = isText(bookmark) ? Date.parse(bookmark) : NaN;
	return {
		registered: readRegistered(registered),
		bookmark: Number.isNaN(time) ? undefined : time,
		startedForms: isText(startedForms) ? startedForms.split(SEPARATOR).filter(isText) : [],
	};
}

/** Removes everything else, such as what an older version kept. */
export function writeState(staticData: IDataObject, { registered, bookmark, startedForms }: TriggerState): void {
	const forms = startedForms.slice(-MAX_STARTED_FORMS);
	const values: IDataObject = {
		...(registered === undefined ? {} : { registered: { ...registered } }),
		...(bookmark === undefined ? {} : { bookmark: new Date(bookmark).toISOString() }),
		...(forms.length === 0 ? {} : { startedForms: forms.join(SEPARATOR) }),
	};
	for (const key of Object.keys(staticData)) if (!(key in values)) delete staticData[key];
	Object.assign(staticData, values);
}
