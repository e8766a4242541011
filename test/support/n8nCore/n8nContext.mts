import { rmSync } from 'node:fs';
import {
	type ICredentialsHelper,
	type IDataObject,
	type IHttpRequestOptions,
	type INode,
	type INodeType,
	type INodeTypes,
	type IWorkflowSettings,
	type IWorkflowExecuteAdditionalData,
	NodeApiError,
	NodeOperationError,
	Workflow,
} from 'n8n-workflow';
import { ArgyleApi } from '../../../credentials/ArgyleApi.credentials';
import { Argyle } from '../../../nodes/Argyle/Argyle.node';
import { ArgyleTrigger } from '../../../nodes/Argyle/ArgyleTrigger.node';
import { userFolder } from './environment.mts';

// Not when the process exits: Jest's test environment doesn't pass that event on.
afterAll(() => rmSync(userFolder, { recursive: true, force: true }));

export const actionNode = new Argyle();

/** By the type that a node has in a workflow; n8n adds "Tool" to that of an agent's tool. */
const nodeTypes: Record<string, INodeType> = {
	argyle: actionNode,
	argyleTool: { ...actionNode, description: { ...actionNode.description, name: 'argyleTool' } },
	argyleTrigger: new ArgyleTrigger(),
};

const registry: INodeTypes = {
	getByName: (name) => registry.getByNameAndVersion(name),
	getByNameAndVersion(name) {
		const nodeType = nodeTypes[name];
		if (nodeType === undefined) throw new Error(`no node type ${name}`);
		return nodeType;
	},
	getKnownTypes: () => ({}),
};

/** n8n's default base URL of webhooks in these tests. */
export const WEBHOOK_BASE = 'https://n8n.example.com/webhook';

export const WEBHOOK_ID = '2f2c5a3e-6a43-4f53-9f0b-3f4d1f0f7a11';

interface NodeSettings {
	/** As in the workflow's JSON. */
	parameters: object;
	/** True is n8n's "Continue (using regular output)". */
	continueOnFail?: boolean;
	/** @default what `continueOnFail` says */
	onError?: INode['onError'];
	/** Whether the node is a tool of an agent. */
	isTool?: boolean;
	/** n8n's Retry On Fail. */
	retryOnFail?: boolean;
	/** n8n's static data of the whole workflow. */
	staticData?: IDataObject;
	workflowId?: string;
	/** Of the workflow, such as its time zone. */
	settings?: IWorkflowSettings;
}

/** A workflow that consists of one node. */
export function createWorkflow(
	{ description }: INodeType,
	{
		parameters,
		continueOnFail,
		onError = continueOnFail ? 'continueRegularOutput' : 'stopWorkflow',
		isTool = false,
		retryOnFail,
		staticData = {},
		workflowId = 'workflow-1',
		settings,
	}: NodeSettings,
): { workflow: Workflow; node: INode } {
	const node: INode = {
		id: 'node-1',
		name: 'Node',
		type: isTool ? `${description.name}Tool` : description.name,
		typeVersion: Math.max(...[description.version].flat()),
		position: [0, 0],
		parameters: JSON.parse(JSON.stringify(parameters)),
		webhookId: WEBHOOK_ID,
		credentials: { argyleApi: { id: '1', name: 'Argyle' } },
		retryOnFail,
		onError,
	};
	const workflow = new Workflow({
		id: workflowId,
		name: 'Forms to CRM',
		nodes: [node],
		connections: {},
		active: true,
		nodeTypes: registry,
		staticData,
		settings,
	});
	return { workflow, node: workflow.getNode('Node') ?? node };
}

/** The same decrypted credential for every node; requests are authenticated by the credential's own `authenticate`. */
const credentialsHelper = (credential: object): ICredentialsHelper => ({
	getParentTypes: () => [],
	isCredentialUsableByNode: () => true,
	async authenticate(credentials, _typeName, options: IHttpRequestOptions) {
		const { authenticate } = new ArgyleApi();
		if (typeof authenticate !== 'function') throw new Error('the credential has no authenticate function');
		return await authenticate(credentials, options);
	},
	preAuthentication: async () => undefined,
	runPreAuthentication: async () => undefined,
	getDecrypted: async () => JSON.parse(JSON.stringify(credential)),
	getCredentials: async () => await Promise.reject(new Error('nodes get decrypted credentials only')),
	updateCredentials: async () => {},
	updateCredentialsOauthTokenData: async () => {},
	getCredentialsProperties: () => new ArgyleApi().properties,
});

/** What n8n passes to a context beside the workflow: here the credential and the base URLs of webhooks. */
export function createAdditionalData(
	credential: object,
	webhookBase = WEBHOOK_BASE,
	extra: Partial<IWorkflowExecuteAdditionalData> = {},
): IWorkflowExecuteAdditionalData {
	const data: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper: credentialsHelper(credential),
		webhookBaseUrl: webhookBase,
		webhookTestBaseUrl: `${webhookBase}-test`,
		instanceBaseUrl: new URL('/', webhookBase).href,
		executionId: '1',
		...extra,
	};
	// About thirty more members are required, which none of these contexts reads.
	return data as IWorkflowExecuteAdditionalData;
}

/** Resolves with the node error that the action fails with; rejects if it succeeds or fails with another error. */
export async function failure(action: Promise<unknown>): Promise<NodeApiError | NodeOperationError> {
	const error: unknown = await action.then(
		() => 'it did not fail',
		(caught: unknown) => caught,
	);
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	throw new Error(`expected a node error, got: ${String(error)}`);
}
