import type { IDataObject } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';

import { isDataObject } from '../../utils/json';

/** Tells this process of n8n from all others. */
export const PROCESS = randomUUID();

/**
 * What a start of n8n, or another API key, leaves unknown: whether this n8n has run the trigger (`trigger`), whether
 * the account is the same (`account`), or, by an event's name, since when this event was chosen.
 */
export type Doubt = string;

/** Where an item comes from. In queue mode, another process may run its execution. */
export interface Origin {
	/** The `PROCESS` that received the event, or asked for the execution. */
	process: string;
	/** When, in milliseconds since 1970, by its clock. */
	at: number;
	/** Which start it is, where the event itself does not tell. */
	key?: string;
	/** For a missed event, as `Start.dropped`; undefined for a delivery. */
	dropped?: number;
	/** Set for an event from before the workflow wanted it. It must never start the workflow. */
	isEarlier?: boolean;
	/** For a missed event that counts only if n8n's store resolves this doubt. */
	doubt?: Doubt;
	/** Set for an execution that saves static data in the process that asks for it. */
	isSaving?: boolean;
}

/**
 * The key of a form that does not exist. If n8n's store has it, this n8n has run the trigger, whatever static data
 * says.
 */
export const KNOWN = '00000000-0000-4000-8000-000000000000';

/** The mark that is recorded with a doubt. If n8n's store had it before, that resolves every doubt but `account`. */
export const markOf = (doubt: Doubt) => (['trigger', 'account'].includes(doubt) ? KNOWN : `${KNOWN} ${doubt}`);

/** The item's field that brings the origin to `execute()`, which takes it out again. */
const FIELD = 'argyleTriggerOrigin';

export function withOrigin(item: IDataObject, origin: Omit<Origin, 'process'>): IDataObject {
	return { ...item, [FIELD]: { process: PROCESS, ...origin } };
}

export function takeOrigin({ [FIELD]: origin, ...item }: IDataObject): { item: IDataObject; origin?: Origin } {
	if (!isDataObject(origin) || typeof origin.process !== 'string' || typeof origin.at !== 'number') return { item };
	const { process, at, key, dropped, isEarlier, doubt, isSaving } = origin;
	return {
		item,
		origin: {
			process,
			at,
			key: typeof key === 'string' ? key : undefined,
			dropped: typeof dropped === 'number' ? dropped : undefined,
			isEarlier: isEarlier === true,
			doubt: typeof doubt === 'string' ? doubt : undefined,
			isSaving: isSaving === true,
		},
	};
}
