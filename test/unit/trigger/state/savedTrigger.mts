import type { IDataObject } from 'n8n-workflow';
import type { ArgyleClient } from '../../../../nodes/Argyle/transport/client';
import { beginBookmark } from '../../../../nodes/Argyle/trigger/state/bookmark';
import type { Position } from '../../../../nodes/Argyle/trigger/state/knownForms';
import { saveState } from '../../../../nodes/Argyle/trigger/state/savedState';
import { type TriggerContext, triggerMemory } from '../../../../nodes/Argyle/trigger/state/triggerMemory';

export const now = 1_700_000_000_000;
export const registered = { id: 's', url: 'https://n8n.example.com/webhook', account: 'a', environment: 'Sandbox' };
export const client = (keyDigest: string): ArgyleClient => Object.create({ keyDigest });
export const formAt = (createdAt: number, id: string) => ({ id, account: 'a', createdAt, record: {} });
export const at = (time: number, more: object = {}) => ({ time, account: 'a', node: 'n', ...more });

let processes = 0;

/** A trigger in a process that knows nothing of it yet. */
export function newProcess(staticData: IDataObject = {}, node = 'n'): TriggerContext {
	const workflow = `w${++processes}`;
	return {
		getNode: () => ({ id: node }),
		getWorkflow: () => ({ id: workflow }),
		getWorkflowStaticData: (type) => (type === 'node' ? staticData : {}),
	};
}

/** Static data with a registration, a bookmark, and the form `begun`, which has started the workflow since. */
export function savedState(position: Position = { time: now }): IDataObject {
	const staticData = {};
	const trigger = newProcess(staticData);
	triggerMemory(trigger).registered = registered;
	beginBookmark(trigger, client('a'), position);
	triggerMemory(trigger).forms.begin('begun', now);
	saveState(trigger);
	return staticData;
}
