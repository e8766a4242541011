import { rmSync } from 'node:fs';
import {
	type IDataObject,
	type INode,
	type INodeType,
	type INodeTypes,
	type IWorkflowExecuteAdditionalData,
	Workflow,
} from 'n8n-workflow';
import { Argyle } from '../../../nodes/Argyle/Argyle.node';
import { ArgyleTrigger } from '../../../nodes/Argyle/ArgyleTrigger.node';
import { OneCredential } from './credentials.mts';
import { userFolder } from './environment.mts';

// Not at the exit of the process: Jest gives the tests a process of their own, which never hears of it.
afterAll(() => rmSync(userFolder, { recursive: true, force: true }));

/** The two node types of the package, as n8n knows them. */
export const nodeTypes: Record<string, INodeType> = {
	'n8n-nodes-argyle.argyle': new Argyle(),
	'n8n-nodes-argyle.argyleTrigger': new ArgyleTrigger(),
};

const registry: INodeTypes = {
	getByName: (name) => registry.getByNameAndVersion(name),
	getByNameAndVersion(name) {
		const found = nodeTypes[name];
		if (found === undefined) throw new Error(`no node type ${name}`);
		return found;
	},
	getKnownTypes: () => ({}),
};

/** A workflow of one node. */
export interface OneNode {
	type: keyof typeof nodeTypes;
	parameters: INode['parameters'];
	/** n8n's "Continue (using regular output)" when true. */
	continueOnFail?: boolean;
	staticData?: IDataObject;
	workflowName?: string;
	workflowId?: string;
}

/** The address that n8n gives to the trigger, unless a test gives another base. */
export const WEBHOOK_BASE = 'https://n8n.example.com/webhook';

/** The webhook id that n8n gives to the trigger. */
export const WEBHOOK_ID = '2f2c5a3e-6a43-4f53-9f0b-3f4d1f0f7a11';

/** Makes n8n's workflow object around one node. */
export function makeWorkflow({
	type,
	parameters,
	continueOnFail,
	staticData = {},
	workflowName = 'Forms to CRM',
	workflowId = 'workflow-1',
}: OneNode): { workflow: Workflow; node: INode } {
	const node: INode = {
		id: 'node-1',
		name: 'Node',
		type,
		typeVersion: type.endsWith('Trigger') ? 2 : 1,
		position: [0, 0],
		parameters,
		webhookId: WEBHOOK_ID,
		credentials: { argyleApi: { id: '1', name: 'Argyle' } },
		onError: continueOnFail ? 'continueRegularOutput' : 'stopWorkflow',
	};
	const workflow = new Workflow({
		id: workflowId,
		name: workflowName,
		nodes: [node],
		connections: {},
		active: true,
		nodeTypes: registry,
		staticData,
	});
	return { workflow, node: workflow.getNode('Node') ?? node };
}

/** What n8n hands to a context beside the workflow: here the credential and the webhook addresses. */
export function makeAdditionalData(
	credential: IDataObject,
	extra: Partial<IWorkflowExecuteAdditionalData> = {},
): IWorkflowExecuteAdditionalData {
	const data: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper: new OneCredential(JSON.parse(JSON.stringify(credential))),
		webhookBaseUrl: WEBHOOK_BASE,
		webhookTestBaseUrl: `${WEBHOOK_BASE}-test`,
		executionId: '1',
		...extra,
	};
	// n8n fills in some thirty members more, which no context under test looks at.
	return data as IWorkflowExecuteAdditionalData;
}
