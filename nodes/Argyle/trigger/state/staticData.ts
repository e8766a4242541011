import type { IDataObject } from 'n8n-workflow';

import { isDataObject } from '../../utils/json';

/** The subscription that was registered last. It is only named in messages, because static data travels with copies. */
export interface RegisteredSubscription {
	/** Undefined once it was removed. */
	id?: string;
	url: string;
	/** As `ArgyleClient.keyDigest`. */
	account: string;
	/** As the credential's screen shows it. */
	environment: string;
}

/** A place in an account's list of forms: forms up to it never start the workflow again. */
export interface Bookmark {
	/** Milliseconds since 1970, by Argyle's clock. */
	time: number;
	/** Of the forms of that millisecond, those up to this ID; without one, all of them. */
	form?: string;
	/** As `ArgyleClient.keyDigest`. */
	account: string;
	/** The ID of the trigger's node: n8n keeps static data by a node's name, which another node may get later. */
	node: string;
}

/** What the trigger keeps in the node's static data. Nothing in it is secret. */
export interface TriggerState {
	registered?: RegisteredSubscription;
	bookmark?: Bookmark;
	/** The IDs of forms after the bookmark that have started the workflow, the latest at the end. */
	startedForms: string[];
}

/** A form beyond these, when it comes again, costs an execution that ends at the trigger. */
const MAX_STARTED_FORMS = 1_000;

/** The IDs are one text: an array takes n8n ten times as long, because it wraps each value, for each execution. */
const SEPARATOR = ' ';

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function readRegistered(value: unknown): RegisteredSubscription | undefined {
	if (!isDataObject(value)) return undefined;
	const { id, url, account, environment } = value;
	if (!isText(url) || !isText(account) || !isText(environment)) return undefined;
	return { ...(isText(id) ? { id } : {}), url, account, environment };
}

function readBookmark(value: unknown): Bookmark | undefined {
	if (!isDataObject(value)) return undefined;
	const { time, form, account, node } = value;
	const parsed = isText(time) ? Date.parse(time) : NaN;
	if (Number.isNaN(parsed) || !isText(account) || !isText(node)) return undefined;
	return { time: parsed, ...(isText(form) ? { form } : {}), account, node };
}

/** Leaves out everything that is not as it should be: static data can be imported or edited. */
export function readState({ registered, bookmark, startedForms }: IDataObject): TriggerState {
	return {
		registered: readRegistered(registered),
		bookmark: readBookmark(bookmark),
		startedForms: isText(startedForms) ? startedForms.split(SEPARATOR).filter(isText) : [],
	};
}

/** Puts the state into static data, and removes everything else there. */
export function writeState(staticData: IDataObject, { registered, bookmark, startedForms }: TriggerState): void {
	const forms = startedForms.slice(-MAX_STARTED_FORMS);
	const values: IDataObject = {
		...(registered === undefined ? {} : { registered: { ...registered } }),
		...(bookmark === undefined ? {} : { bookmark: { ...bookmark, time: new Date(bookmark.time).toISOString() } }),
		...(forms.length === 0 ? {} : { startedForms: forms.join(SEPARATOR) }),
	};
	for (const key of Object.keys(staticData)) delete staticData[key];
	Object.assign(staticData, values);
}

/** Brings the state to the process that runs the execution, where `execute()` takes it out again. */
const STATE_FIELD = 'argyleTriggerState';

export function withState(item: IDataObject, state: Omit<TriggerState, 'startedForms'>): IDataObject {
	const carried: IDataObject = {};
	writeState(carried, { ...state, startedForms: [] });
	return { ...item, [STATE_FIELD]: carried };
}

export function takeState({ [STATE_FIELD]: state, ...item }: IDataObject): { item: IDataObject; state: TriggerState } {
	return { item, state: readState(isDataObject(state) ? state : {}) };
}
