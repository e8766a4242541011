import type { IDataObject } from 'n8n-workflow';

import { isDataObject } from '../../utils/json';
import { MAX_SAVED } from './limits';
import { SAVED_AHEAD_MS } from './timing';

/**
 * What the trigger keeps over a restart of n8n, in the node's static data. Nothing in it is secret. All functions that
 * read, write or forget it are in this file.
 */
export interface SavedState {
	/**
	 * The trigger, and its n8n, to which all this belongs. n8n keeps static data by the node's name, and another node may
	 * get that name later. n8n also exports and imports static data with a workflow.
	 */
	owner?: string;
	/** As `Known.boundTo`. If the wish is bound to something else, static data is out of date, and tells nothing. */
	boundTo?: string;
	/** As `Known.since`. */
	since?: Record<string, number>;
	/** Events up to this time never start the workflow again. In milliseconds since 1970, by Argyle's clock. */
	bookmark?: number;
	/** The keys of later events that have started the workflow. */
	started?: string[];
	/** When the trigger last looked, in milliseconds since 1970 by Argyle's clock. n8n ran then. */
	lookedAt?: number;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/**
 * Reads the state and leaves out everything malformed, because static data can be imported or edited. A time in the
 * future would end the catching up for good, so it is left out, too. If events would count only since such a time, the
 * `boundTo` is left out as well: the state then tells nothing.
 */
export function readState({ owner, boundTo, since, bookmark, started, lookedAt }: IDataObject): SavedState {
	const latest = Date.now() + SAVED_AHEAD_MS;
	const isTime = (value: unknown): value is number => typeof value === 'number' && value <= latest;
	const times = isDataObject(since) ? Object.entries(since) : [];
	const known = times.flatMap(([event, time]) => (isTime(time) ? [[event, time]] : []));
	return {
		...(isText(owner) && { owner }),
		...(isText(boundTo) && known.length === times.length && { boundTo }),
		since: Object.fromEntries(known),
		...(isTime(bookmark) && { bookmark }),
		started: Array.isArray(started) ? started.filter(isText).slice(-MAX_SAVED) : [],
		...(isTime(lookedAt) && { lookedAt }),
	};
}

/** Puts the state into static data and removes everything else. Changes nothing that is there already. */
export function writeState(staticData: IDataObject, state: SavedState): void {
	if (isSaved(staticData, state)) return;
	for (const key of Object.keys(staticData)) delete staticData[key];
	// n8n makes proxies of what it is given.
	Object.assign(staticData, structuredClone(state));
}

/** By the text of each part, because static data can have its parts in another order. */
export function isSaved(staticData: IDataObject, state: SavedState): boolean {
	const values: IDataObject = { ...state };
	const names = new Set([...Object.keys(staticData), ...Object.keys(values)]);
	return [...names].every((name) => JSON.stringify(staticData[name]) === JSON.stringify(values[name]));
}

/**
 * Forgets when the trigger last looked. n8n hands out a copy of static data when it activates triggers, and another
 * trigger of the workflow may save this copy hours later, when that time would be out of date.
 */
export function forgetLook(staticData: IDataObject): void {
	if ('lookedAt' in staticData) delete staticData.lookedAt;
}

/**
 * Another main process may receive the event of a test. n8n hands that process what the test has put into static data.
 */
export function writeTestUrl(staticData: IDataObject, url: string | undefined): void {
	if (url === undefined) delete staticData.testUrl;
	else staticData.testUrl = url;
}

export function readTestUrl({ testUrl }: IDataObject): string | undefined {
	return isText(testUrl) ? testUrl : undefined;
}
