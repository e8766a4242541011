import type { IDataObject } from 'n8n-workflow';

import { isJsonRecord } from '../utils/json';

/** What the trigger remembers of its subscription between calls of n8n, in the node's static data. */
export interface TriggerState {
	/** The subscription's id at the service. */
	subscriptionId?: string;
	/** The address that was registered. */
	url?: string;
	/** What signs the deliveries of the subscription. */
	secret?: string;
	/** True when another subscription may have been made beside it, by a request whose answer never came. */
	mayHaveDuplicate?: boolean;
	/** Secrets of subscriptions that were replaced a moment ago. */
	retired: RetiredSecret[];
}

/** A secret that still verifies until `until` (milliseconds since 1970). */
export interface RetiredSecret {
	secret: string;
	until: number;
}

/**
 * How long a replaced secret goes on verifying. Argyle waits 10 s for an answer and repeats a delivery once, 30 s later;
 * the rest is for slow networks and clocks.
 */
export const ROTATION_OVERLAP_MS = 120_000;

/** More replacements than this within the overlap don't happen by hand; the bound keeps the static data small. */
const MOST_RETIRED = 10;

const SECRET = /^[0-9a-f]{64}$/;

/**
 * Takes anything; tells whether it is a secret as this trigger makes them: 32 bytes in hex. A blank or foreign secret
 * is none.
 */
export function isSecret(value: unknown): value is string {
	return typeof value === 'string' && SECRET.test(value);
}

const readText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

const isRetired = (value: unknown): value is RetiredSecret & IDataObject =>
	isJsonRecord(value) && isSecret(value.secret) && typeof value.until === 'number';

/** Takes static data, whatever it holds; gives the state, with everything left out that isn't as it should be. */
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

/** Writes the state into static data; what the state doesn't hold is removed. */
export function writeState(
	staticData: IDataObject,
	{ subscriptionId, url, secret, mayHaveDuplicate: mayHaveDuplicate, retired }: TriggerState,
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

/**
 * Takes a state and the address that n8n gives the trigger today; gives the addresses at which whatever sends is
 * ours: that one, and the one registered before n8n's own address changed.
 */
export function ourUrls(state: TriggerState, current: string | undefined): string[] {
	return [state.url, current].filter((url) => url !== undefined);
}

/**
 * Takes the retired secrets there are, those to be retired now, and the time; gives both, without what is over, each
 * secret once.
 */
export function retireSecrets(retired: RetiredSecret[], secrets: unknown[], now: number): RetiredSecret[] {
	const added = secrets.filter(isSecret).map((secret) => ({ secret, until: now + ROTATION_OVERLAP_MS }));
	const longest = new Map<string, RetiredSecret>();
	for (const entry of [...added, ...retired]) {
		const known = longest.get(entry.secret);
		if (entry.until > now && (known === undefined || known.until < entry.until)) longest.set(entry.secret, entry);
	}
	return [...longest.values()].slice(0, MOST_RETIRED);
}

/** Takes a state and the time; gives the secrets that verify a delivery now, the current one first. */
export function activeSecrets(state: TriggerState, now: number): string[] {
	const current = state.secret === undefined ? [] : [state.secret];
	return [...current, ...state.retired.filter(({ until }) => until > now).map(({ secret }) => secret)];
}
