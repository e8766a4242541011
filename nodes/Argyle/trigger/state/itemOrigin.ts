import type { IDataObject } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';

import { isDataObject } from '../../utils/json';

/** The ID of this process of n8n. No other process has it. */
export const PROCESS_ID = randomUUID();

/** Where an item comes from. In queue mode, another process may run its execution. */
export interface Origin {
	/** The `PROCESS_ID` of the process that received the event, or asked for the execution. */
	process: string;
	/** When that was, in milliseconds since 1970, by that process's clock. */
	at: number;
	/** The key of the event, where the event itself does not tell it. */
	key?: string;
	/** For a missed event, as `Start.usedKeys`; undefined for a delivery. */
	usedKeys?: number;
	/** Set for an item that is no event. Its execution saves static data in the process that asks for it. */
	isSaving?: boolean;
}

/** The item's field that brings the origin to `execute()`, which takes it out again. */
const FIELD = 'argyleTriggerOrigin';

export function withOrigin(item: IDataObject, origin: Omit<Origin, 'process'>): IDataObject {
	return { ...item, [FIELD]: { process: PROCESS_ID, ...origin } };
}

export function splitOrigin({ [FIELD]: origin, ...item }: IDataObject): { item: IDataObject; origin?: Origin } {
	if (!isDataObject(origin) || typeof origin.process !== 'string' || typeof origin.at !== 'number') return { item };
	const { process, at, key, usedKeys, isSaving } = origin;
	return {
		item,
		origin: {
			process,
			at,
			key: typeof key === 'string' ? key : undefined,
			usedKeys: typeof usedKeys === 'number' ? usedKeys : undefined,
			isSaving: isSaving === true,
		},
	};
}
