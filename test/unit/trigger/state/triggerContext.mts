import type { IDataObject } from 'n8n-workflow';
import type { ArgyleClient } from '../../../../nodes/Argyle/transport/client';
import type { TriggerContext } from '../../../../nodes/Argyle/trigger/state/triggerContext';

export const now = 1_700_000_000_000;
const clocks = { toServiceTime: (at: number) => at, toLatestServiceTime: (at: number) => at + 5 };
export const client = (keyDigest: string): ArgyleClient => Object.create({ keyDigest, ...clocks });
export const formAt = (createdAt: number, key: string) => ({ key, createdAt, record: {} });

/** What tells an n8n and its nodes apart. */
interface Place {
	workflow?: string;
	node?: string;
	instance?: string;
	credential?: string;
}

let processes = 0;

/** What a process gets of a trigger that it knows nothing of yet, unless the workflow is named. */
export function newProcess(staticData: IDataObject = {}, place: Place = {}): TriggerContext {
	const { workflow = `w${++processes}`, node = 'n', instance = 'i', credential = 'c' } = place;
	return {
		getNode: () => ({ id: node, credentials: { argyleApi: { id: credential, name: 'Argyle' } } }),
		getWorkflow: () => ({ id: workflow }),
		getWorkflowStaticData: (type) => (type === 'node' ? staticData : {}),
		getInstanceId: () => instance,
	};
}
