import { createServer } from 'node:http';
import express, { type Request, type Response } from 'express';
import type { IDataObject, INodeExecutionData, IWebhookResponseData } from 'n8n-workflow';
import { listen } from '../listen.mts';

/** What a trigger's `webhook()` returned, and the workflow's static data after it. */
export interface WebhookResult {
	result: IWebhookResponseData;
	staticData: IDataObject;
}

export interface CallOptions {
	headers?: Record<string, string>;
	/** Whether n8n keeps the bytes of the body. @default true */
	hasRawBody?: boolean;
	/** Stores the execution; n8n answers 500 when it rejects. */
	store?: () => Promise<void>;
	/** Ends the connection before the answer. */
	signal?: AbortSignal;
}

export interface CallResult {
	status: number;
	body: string;
	/** The items that start the workflow; undefined when it isn't started. */
	items: INodeExecutionData[] | undefined;
	staticData: IDataObject;
}

/** Identifies a call and its options at the server; removed before the trigger sees the call. */
const CALL_NUMBER = 'x-test-call';

/** A real HTTP server that handles a call as n8n does: keeps the raw bytes, runs `webhook()`, stores, then answers. */
export class WebhookReceiver {
	/** Scheme, host and port; known once it has started. */
	origin = '';

	/** Whether n8n listens at the trigger's address. */
	isRegistered = true;

	private readonly runWebhook: (request: Request, response: Response) => Promise<WebhookResult>;

	private readonly calls: Array<CallOptions & Partial<CallResult>> = [];

	private readonly server;

	constructor(runWebhook: (request: Request, response: Response) => Promise<WebhookResult>) {
		this.runWebhook = runWebhook;
		const app = express();
		// As n8n with N8N_PROXY_HOPS=1.
		app.set('trust proxy', 1);
		app.use(express.raw({ type: () => true, limit: '16mb' }));
		app.post('/{*path}', async (request, response) => await this.answer(request, response));
		this.server = createServer(app);
	}

	async start(): Promise<void> {
		this.origin = `http://localhost:${await listen(this.server)}`;
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	async call(body: string | Buffer, options: CallOptions = {}): Promise<CallResult> {
		const call: CallOptions & Partial<CallResult> = { ...options };
		const number = this.calls.push(call) - 1;
		const response = await fetch(`${this.origin}/`, {
			method: 'POST',
			body: new Uint8Array(Buffer.from(body)),
			headers: { 'Content-Type': 'application/json', ...options.headers, [CALL_NUMBER]: String(number) },
			signal: options.signal,
		});
		const text = await response.text();
		if (call.staticData === undefined) throw new Error(`webhook() failed: ${text}`);
		return { status: response.status, body: text, items: call.items, staticData: call.staticData };
	}

	private async answer(request: Request, response: Response): Promise<void> {
		const call = this.calls[Number(request.get(CALL_NUMBER))] ?? {};
		delete request.headers[CALL_NUMBER];
		if (!this.isRegistered) {
			const message = `The requested webhook "POST ${request.path}" is not registered.`;
			return void response.status(404).json({ code: 404, message, hint: 'The workflow must be active.' });
		}
		if (call.hasRawBody !== false) Object.assign(request, { rawBody: request.body });
		const { result, staticData } = await this.runWebhook(request, response);
		if (response.headersSent !== (result.noWebhookResponse === true)) throw new Error('answered twice, or not at all');
		call.items = result.workflowData?.[0] ?? undefined;
		call.staticData = staticData;
		if (result.noWebhookResponse === true) return;
		const message = result.workflowData ? 'Workflow was started' : 'Webhook call received';
		await (call.store?.() ?? Promise.resolve()).then(
			() => response.status(200).json(result.webhookResponse ?? { message }),
			(error: unknown) => response.status(500).json({ message: String(error) }),
		);
	}
}
