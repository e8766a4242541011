import type { Request, Response } from 'express';
import { ExecuteContext, HookContext, TriggerContext, WebhookContext } from 'n8n-core';
import type {
	GenericValue,
	IDataObject,
	INodeExecutionData,
	IRunExecutionData,
	ITriggerFunctions,
	IWebhookData,
	Workflow,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import type { ArgyleTrigger } from '../../../nodes/Argyle/ArgyleTrigger.node';
import { createAdditionalData, createWorkflow, WEBHOOK_ID } from './n8nContext.mts';
import type { WebhookResult } from './webhookReceiver.mts';

/** A trigger with all that n8n knows of it when it calls it. */
interface KnownTrigger {
	node: ArgyleTrigger;
	credential: IDataObject;
	parameters: IDataObject;
	continueOnFail: boolean;
	workflowId: string;
	webhookBase: string;
	activationMode: WorkflowActivateMode;
	isTest: boolean;
	/** Replaced by what a call leaves in it, when n8n would store that. */
	staticData: IDataObject;
}

/** What the trigger emits, to start an execution. */
export interface Emission {
	items: IDataObject[];
	deduplicationKey: string | undefined;
	/** Resolved by n8n when the execution has ended, in whichever process it was. */
	execution: Parameters<ITriggerFunctions['emit']>[2];
}

export const copyOf = (data: GenericValue): IDataObject => JSON.parse(JSON.stringify(data));

function keepChanged(trigger: KnownTrigger, { staticData }: Workflow): void {
	if (staticData.__dataChanged === true) trigger.staticData = copyOf(staticData);
	staticData.__dataChanged = false;
}

/** Runs one of n8n's hooks. Keeps what it wrote into static data even if it throws, as n8n does. */
export async function callHook(trigger: KnownTrigger, name: 'checkExists' | 'create' | 'delete'): Promise<boolean> {
	const { workflow, node } = createWorkflow(trigger.node, trigger);
	const context = new HookContext(
		workflow,
		node,
		createAdditionalData(trigger.credential, trigger.webhookBase),
		trigger.isTest ? 'manual' : 'trigger',
		trigger.isTest ? 'manual' : trigger.activationMode,
		webhookDataOf(trigger),
	);
	try {
		return await trigger.node.webhookMethods.default[name].call(context);
	} finally {
		trigger.staticData = copyOf(workflow.staticData);
	}
}

/**
 * Runs `webhook()` of the process that receives the call. Keeps what it wrote into static data if it has answered by
 * itself, as n8n does.
 */
export async function callWebhook(
	trigger: KnownTrigger,
	receiver: ArgyleTrigger,
	httpRequest: Request,
	httpResponse: Response,
): Promise<WebhookResult> {
	const { workflow, node } = createWorkflow(receiver, { ...trigger, staticData: copyOf(trigger.staticData) });
	const context = new WebhookContext(
		workflow,
		node,
		createAdditionalData(trigger.credential, trigger.webhookBase, { httpRequest, httpResponse }),
		trigger.isTest ? 'manual' : 'webhook',
		webhookDataOf(trigger),
		[],
		null,
	);
	const result = await receiver.webhook.call(context);
	if (result.noWebhookResponse === true) keepChanged(trigger, workflow);
	return { result, staticData: copyOf(workflow.staticData) };
}

/** Runs `trigger()`, and returns n8n's way to end it. Static data that has changed is kept at each emit, as in n8n. */
export async function callTrigger(
	trigger: KnownTrigger,
	onEmitted: (emission: Emission) => void,
	onFailed: (error: Error) => void,
): Promise<() => Promise<void>> {
	const { workflow, node } = createWorkflow(trigger.node, { ...trigger, staticData: copyOf(trigger.staticData) });
	const saveStaticData = () => keepChanged(trigger, workflow);
	const context = new TriggerContext(
		workflow,
		node,
		createAdditionalData(trigger.credential, trigger.webhookBase),
		'trigger',
		trigger.activationMode,
		([items = []], _response, execution, deduplicationKey) => {
			saveStaticData();
			onEmitted({ items: items.map(({ json }) => json), deduplicationKey, execution });
		},
		() => {},
		onFailed,
	);
	// n8n saves it even if the trigger throws.
	const { closeFunction = async () => {} } = await trigger.node.trigger.call(context).finally(saveStaticData);
	return closeFunction;
}

/** Runs `execute()`, which `signal` cancels. Keeps what it wrote into static data in the end, as n8n does. */
export async function callExecute(
	trigger: KnownTrigger,
	items: INodeExecutionData[],
	mode: WorkflowExecuteMode,
	executionData: IRunExecutionData,
	signal?: AbortSignal,
): Promise<INodeExecutionData[]> {
	const { workflow, node } = createWorkflow(trigger.node, { ...trigger, staticData: copyOf(trigger.staticData) });
	const context = new ExecuteContext(
		workflow,
		node,
		createAdditionalData(trigger.credential, trigger.webhookBase),
		mode,
		executionData,
		0,
		items,
		{ main: [items] },
		{ node, data: { main: [items] }, source: null },
		[],
		signal,
	);
	const [output = []] = await trigger.node.execute.call(context);
	keepChanged(trigger, workflow);
	return output;
}

function webhookDataOf({ node, workflowId, isTest }: KnownTrigger): IWebhookData {
	const [webhookDescription] = node.description.webhooks ?? [];
	if (webhookDescription === undefined) throw new Error('the trigger has no webhook');
	return {
		httpMethod: 'POST',
		node: 'Node',
		path: `${WEBHOOK_ID}/webhook`,
		webhookDescription,
		workflowId,
		workflowExecuteAdditionalData: createAdditionalData({}),
		isTest,
	};
}
