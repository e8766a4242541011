import type { IDataObject } from 'n8n-workflow';

import { isDataObject } from '../utils/json';

/** What the trigger keeps of its subscription in the node's static data. */
export interface TriggerState {
	subscriptionId?: string;
	/** The URL that was registered. */
	url?: string;
	secret?: string;
	/** Whether a request whose response was lost may have created a second subscription. */
	mayHaveDuplicate?: boolean;
	/** Secrets of subscriptions that were replaced recently. */
	retired: RetiredSecret[];
}

/** A replaced secret that still verifies. */
export interface RetiredSecret {
	secret: string;
	/** Milliseconds since 1970. */
	until: number;
}

/**
 * Argyle waits 10 s for an answer and repeats a delivery once, 30 s later; the rest is for slow networks and clocks.
 */
export const ROTATION_OVERLAP_MS = 120_000;

/** Nobody publishes more often within the overlap; the bound keeps the static data small. */
const MAX_RETIRED_SECRETS = 10;

const SECRET = /^[0-9a-f]{64}$/;

/** Whether it is a secret as this trigger creates them: 32 bytes in hex. */
export function isSecret(value: unknown): value is string {
	return typeof value === 'string' && SECRET.test(value);
}

const readText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

const isRetired = (value: unknown): value is RetiredSecret & IDataObject =>
	isDataObject(value) && isSecret(value.secret) && typeof value.until === 'number';

/** Leaves out everything that is not as it should be: static data can be imported, edited or of an older version. */
export function readState(staticData: IDataObject): TriggerState {
	const { retired } = staticData;
	return {
		subscriptionId: readText(staticData.subscriptionId),
		url: readText(staticData.url),
		secret: isSecret(staticData.secret) ? staticData.secret : undefined,
		mayHaveDuplicate: staticData.mayHaveDuplicate === true || undefined,
		retired: Array.isArray(retired) ? retired.filter(isRetired).map(({ secret, until }) => ({ secret, until })) : [],
	};
}

export function writeState(
	staticData: IDataObject,
	{ subscriptionId, url, secret, mayHaveDuplicate, retired }: TriggerState,
): void {
	const values = {
		subscriptionId,
		url,
		secret,
		mayHaveDuplicate: mayHaveDuplicate || undefined,
		retired: retired.length === 0 ? undefined : retired.map((entry) => ({ ...entry })),
	};
	for (const [key, value] of Object.entries(values)) {
		if (value === undefined) delete staticData[key];
		else staticData[key] = value;
	}
}

/** Whatever sends to these is ours: today's URL, and the one registered before n8n's own address changed. */
export function ourUrls(state: TriggerState, current: string | undefined): string[] {
	return [state.url, current].filter((url) => url !== undefined);
}

/** Adds secrets to the retired ones; leaves out what has expired, and keeps each secret once. */
export function retireSecrets(retired: RetiredSecret[], secrets: unknown[], now: number): RetiredSecret[] {
	const added = secrets.filter(isSecret).map((secret) => ({ secret, until: now + ROTATION_OVERLAP_MS }));
	const longest = new Map<string, RetiredSecret>();
	for (const entry of [...added, ...retired]) {
		const known = longest.get(entry.secret);
		if (entry.until > now && (known === undefined || known.until < entry.until)) longest.set(entry.secret, entry);
	}
	return [...longest.values()].slice(0, MAX_RETIRED_SECRETS);
}

/** The secrets that verify a delivery now, the current one first. */
export function activeSecrets(state: TriggerState, now: number): string[] {
	const current = state.secret === undefined ? [] : [state.secret];
	return [...current, ...state.retired.filter(({ until }) => until > now).map(({ secret }) => secret)];
}
