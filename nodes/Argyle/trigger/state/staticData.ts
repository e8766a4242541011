import type { IDataObject } from 'n8n-workflow';

import { isDataObject } from '../../utils/json';
import type { Progress } from './listedRecord';

/** The subscription that was registered last. */
export interface RegisteredSubscription {
	/** Undefined once it was removed. */
	id?: string;
	url: string;
}

/** A place in an account's lists: events up to it never start the workflow again. */
export interface Bookmark extends Progress {
	/** As `ArgyleClient.keyDigest`. */
	keyDigest: string;
	/** The ID of the credential that had this key. */
	credential: string;
}

/** What the trigger keeps in the node's static data. Nothing in it is secret. */
export interface SavedState {
	/**
	 * The trigger, and its n8n, to which all this belongs. n8n keeps static data by the node's name, and another node may
	 * get that name later. n8n also exports and imports static data with a workflow.
	 */
	owner?: string;
	registered?: RegisteredSubscription;
	bookmark?: Bookmark;
	/** Since when each caught-up event counts, by the event's name, in milliseconds since 1970 by Argyle's clock. */
	wantedSince?: Record<string, number>;
	/** As `Publication.unwantedSince`, by n8n's clock. */
	takenDownAt?: number;
	/** When Argyle last sent something, as the last look has shown, in milliseconds since 1970 by Argyle's clock. */
	sentAt?: number;
	/** When n8n was last known to run, in milliseconds since 1970 by Argyle's clock. */
	runningAt?: number;
	/**
	 * Whether a look was the last to save static data. The copies in n8n's memory never have this field. If another
	 * trigger of the workflow saves the copy that it was activated with, the field is gone.
	 */
	isSavedByLook?: boolean;
	/** When the trigger first wanted events, in milliseconds since 1970 by Argyle's clock: no bookmark is older. */
	firstWantedAt?: number;
	/** When the trigger last began anew, by n8n's clock: if the bookmark is lost, a new one begins no earlier. */
	beganAnewAt?: number;
}

const asTime = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function readRegistered(value: unknown): RegisteredSubscription | undefined {
	if (!isDataObject(value)) return undefined;
	const { id, url } = value;
	return isText(url) ? { ...(isText(id) ? { id } : {}), url } : undefined;
}

function readBookmark(value: unknown): Bookmark | undefined {
	if (!isDataObject(value)) return undefined;
	const { time, key, keyDigest, credential, started, readAt } = value;
	const parsed = isText(time) ? Date.parse(time) : NaN;
	if (Number.isNaN(parsed) || !isText(keyDigest) || typeof credential !== 'string') return undefined;
	return {
		time: parsed,
		...(isText(key) ? { key } : {}),
		keyDigest,
		credential,
		started: Array.isArray(started) ? started.filter(isText) : [],
		readAt: asTime(readAt),
	};
}

function readTimes(value: unknown): Record<string, number> {
	const entries = isDataObject(value) ? Object.entries(value) : [];
	return Object.fromEntries(entries.flatMap(([name, time]) => (typeof time === 'number' ? [[name, time]] : [])));
}

/** Reads the state and leaves out everything malformed, because static data can be imported or edited. */
export function readState(staticData: IDataObject): SavedState {
	const { owner, registered, bookmark, wantedSince, takenDownAt, sentAt, runningAt } = staticData;
	const { isSavedByLook, firstWantedAt, beganAnewAt } = staticData;
	return {
		owner: isText(owner) ? owner : undefined,
		registered: readRegistered(registered),
		bookmark: readBookmark(bookmark),
		wantedSince: readTimes(wantedSince),
		takenDownAt: asTime(takenDownAt),
		sentAt: asTime(sentAt),
		runningAt: asTime(runningAt),
		isSavedByLook: isSavedByLook === true,
		firstWantedAt: asTime(firstWantedAt),
		beganAnewAt: asTime(beganAnewAt),
	};
}

function bookmarkToSave({ time, started = [], readAt, ...rest }: Bookmark): IDataObject {
	return {
		...rest,
		time: new Date(time).toISOString(),
		...(started.length === 0 ? {} : { started }),
		...(readAt === undefined ? {} : { readAt }),
	};
}

/** Returns the state in the form in which `readState` reads it. */
export function stateToSave(state: SavedState): IDataObject {
	const { owner, registered, bookmark, wantedSince = {}, takenDownAt, sentAt, runningAt } = state;
	const { isSavedByLook, firstWantedAt, beganAnewAt } = state;
	return {
		...(owner === undefined ? {} : { owner }),
		...(registered === undefined ? {} : { registered: { ...registered } }),
		...(bookmark === undefined ? {} : { bookmark: bookmarkToSave(bookmark) }),
		...(Object.keys(wantedSince).length === 0 ? {} : { wantedSince: { ...wantedSince } }),
		...(takenDownAt === undefined ? {} : { takenDownAt }),
		...(sentAt === undefined ? {} : { sentAt }),
		...(runningAt === undefined ? {} : { runningAt }),
		...(isSavedByLook === true ? { isSavedByLook } : {}),
		...(firstWantedAt === undefined ? {} : { firstWantedAt }),
		...(beganAnewAt === undefined ? {} : { beganAnewAt }),
	};
}

/**
 * Puts the state into static data and removes everything else. Changes nothing if static data has exactly this state.
 */
export function writeState(staticData: IDataObject, state: SavedState): void {
	const values = stateToSave(state);
	if (isSaved(staticData, state)) return;
	for (const key of Object.keys(staticData)) delete staticData[key];
	Object.assign(staticData, values);
}

export function isSaved(staticData: IDataObject, state: SavedState): boolean {
	const saved = stateToSave(readState(staticData));
	const hasMore = Object.keys(staticData).some((key) => !Object.hasOwn(saved, key));
	return !hasMore && JSON.stringify(saved) === JSON.stringify(stateToSave(state));
}
