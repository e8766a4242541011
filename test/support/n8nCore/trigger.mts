import express, { type Request, type Response } from 'express';
import { HookContext, WebhookContext } from 'n8n-core';
import type {
	IDataObject,
	INodeExecutionData,
	IWebhookData,
	IWebhookResponseData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { makeAdditionalData, makeWorkflow, nodeTypes, WEBHOOK_BASE, WEBHOOK_ID } from './n8nContext.mts';

const TRIGGER = 'n8n-nodes-argyle.argyleTrigger';

/** The trigger of one workflow, as n8n calls it. Static data lives on between the calls, as in n8n's database. */
export interface TestedTrigger {
	credential: IDataObject;
	parameters: IDataObject;
	/** n8n's static data of the whole workflow. */
	staticData: IDataObject;
	webhookBase?: string;
	isTest?: boolean;
	workflowName?: string;
	workflowId?: string;
}

/** The subscription's part of the static data. */
export function stateOf({ staticData }: TestedTrigger): IDataObject {
	const state = staticData['node:Node'];
	return typeof state === 'object' && state !== null ? JSON.parse(JSON.stringify(state)) : {};
}

/** The address that n8n gives to the trigger. */
export function urlOf({ webhookBase = WEBHOOK_BASE, isTest }: TestedTrigger): string {
	return `${webhookBase}${isTest ? '-test' : ''}/${WEBHOOK_ID}/webhook`;
}

function setUp({
	credential,
	parameters,
	staticData,
	webhookBase = WEBHOOK_BASE,
	workflowName,
	workflowId,
}: TestedTrigger) {
	const { workflow, node } = makeWorkflow({
		type: TRIGGER,
		parameters: JSON.parse(JSON.stringify(parameters)),
		staticData,
		workflowName,
		workflowId,
	});
	const additionalData = makeAdditionalData(credential, {
		webhookBaseUrl: webhookBase,
		webhookTestBaseUrl: `${webhookBase}-test`,
	});
	return { workflow, node, additionalData };
}

function webhookData(isTest = false): IWebhookData {
	const [description] = nodeTypes[TRIGGER]?.description.webhooks ?? [];
	if (description === undefined) throw new Error('the trigger has no webhook');
	return {
		httpMethod: 'POST',
		node: 'Node',
		path: `${WEBHOOK_ID}/webhook`,
		webhookDescription: description,
		workflowId: 'workflow-1',
		workflowExecuteAdditionalData: makeAdditionalData({}),
		isTest,
	};
}

/**
 * Runs one of n8n's three hooks in its own context. Keeps what the hook wrote into static data, also when it throws,
 * as n8n does.
 */
export async function hook(trigger: TestedTrigger, phase: 'checkExists' | 'create' | 'delete'): Promise<boolean> {
	const { workflow, node, additionalData } = setUp(trigger);
	const context = new HookContext(
		workflow,
		node,
		additionalData,
		trigger.isTest ? 'manual' : 'trigger',
		trigger.isTest ? 'manual' : 'activate',
		webhookData(trigger.isTest),
	);
	const method = nodeTypes[TRIGGER]?.webhookMethods?.default?.[phase];
	if (method === undefined) throw new Error(`no hook ${phase}`);
	try {
		return await method.call(context);
	} finally {
		trigger.staticData = JSON.parse(JSON.stringify(workflow.staticData));
	}
}

/** Activates as n8n does: `checkExists`, and `create` when that says no. */
export async function activate(trigger: TestedTrigger): Promise<void> {
	if (!(await hook(trigger, 'checkExists'))) await hook(trigger, 'create');
}

/** Makes n8n's context for one call to the trigger's address; gives what runs `webhook()` in it. */
export function prepareWebhook(
	trigger: TestedTrigger,
	httpRequest: Request,
	httpResponse: Response,
): () => Promise<{ result: IWebhookResponseData | undefined; staticData: IDataObject }> {
	const { workflow, node, additionalData } = setUp(trigger);
	const mode: WorkflowExecuteMode = trigger.isTest ? 'manual' : 'webhook';
	const context = new WebhookContext(
		workflow,
		node,
		{ ...additionalData, httpRequest, httpResponse },
		mode,
		webhookData(trigger.isTest),
		[],
		null,
	);
	return async () => ({
		result: await nodeTypes[TRIGGER]?.webhook?.call(context),
		staticData: workflow.staticData,
	});
}

/** Tells the receiver's own calls apart; no part of what Argyle sends. */
const CALL_NUMBER = 'X-Test-Call';

/** What one call to the trigger's address came to. */
export interface CallResult {
	status: number;
	body: string;
	/** The items that start the workflow; undefined when it isn't started. */
	items: INodeExecutionData[] | undefined;
	/** The static data after the call. */
	staticData: IDataObject;
}

/**
 * A real HTTP server that treats a call as n8n does: keeps the raw bytes, runs `webhook()` in n8n's context, stores the
 * execution (`store`; a header makes it fail), answers for it.
 */
export async function startReceiver(
	trigger: TestedTrigger,
	store: () => Promise<void> = async () => {},
): Promise<{
	/** Scheme, host and port. */
	origin: string;
	call(body: string | Buffer, headers?: Record<string, string>): Promise<CallResult>;
	stop(): Promise<void>;
}> {
	// By the call's own number, because calls that come in together need not be answered in the order in which
	// `webhook()` ends.
	const outcomes = new Map<string | undefined, Pick<CallResult, 'items' | 'staticData'>>();
	let calls = 0;
	const app = express();
	// As n8n with N8N_PROXY_HOPS=1.
	app.set('trust proxy', 1);
	app.use(express.raw({ type: () => true, limit: '16mb' }));
	app.post('/', async (request, response) => {
		if (request.headers['x-test-without-raw-body'] === undefined) Object.assign(request, { rawBody: request.body });
		const { result, staticData } = await prepareWebhook(trigger, request, response)();
		// n8n answers unless the node says that it has: neither both of them nor none.
		if (response.headersSent !== (result?.noWebhookResponse === true)) throw new Error('answered twice, or not at all');
		outcomes.set(request.get(CALL_NUMBER), {
			items: result?.workflowData?.[0] ?? undefined,
			staticData: JSON.parse(JSON.stringify(staticData)),
		});
		if (result?.noWebhookResponse === true) return;
		await store();
		if (request.headers['x-test-store-fails'] !== undefined) response.status(500).json({ message: 'no space left' });
		else
			response.status(200).json(
				result?.webhookResponse ?? {
					message: result?.workflowData ? 'Workflow was started' : 'Webhook call received',
				},
			);
	});
	const server = app.listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The receiver has no port');
	const origin = `http://127.0.0.1:${address.port}`;
	return {
		origin,
		async call(body, headers = {}) {
			const number = String(++calls);
			const answer = await fetch(`${origin}/`, {
				method: 'POST',
				body: new Uint8Array(Buffer.from(body)),
				headers: { 'Content-Type': 'application/json', ...headers, [CALL_NUMBER]: number },
			});
			const text = await answer.text();
			const outcome = outcomes.get(number);
			if (outcome === undefined) throw new Error(`webhook() failed: ${text}`);
			return { status: answer.status, body: text, ...outcome };
		},
		async stop() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
