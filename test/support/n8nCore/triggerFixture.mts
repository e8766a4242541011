import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import { HookContext, WebhookContext } from 'n8n-core';
import type { IDataObject, IWebhookData } from 'n8n-workflow';
import { credentialFor } from '../fakeArgyle/credential.mts';
import { eventBody, sign } from '../fakeArgyle/signedEvent.mts';
import { FakeArgyle, startFakeArgyle, type Subscription } from '../fakeArgyle/index.mts';
import { newSubscription } from '../fakeArgyle/webhooks.mts';
import { createAdditionalData, createWorkflow, triggerNode, WEBHOOK_BASE, WEBHOOK_ID } from './n8nContext.mts';
import { type CallOptions, type CallResult, WebhookReceiver, type WebhookResult } from './webhookReceiver.mts';

/** The `data` of a `user_forms.submitted` event. */
export const formData = { account: randomUUID(), user: randomUUID(), user_form: randomUUID() };

/** The body of its delivery, as Argyle writes it. */
export const formDelivery = eventBody('user_forms.submitted', 'Forms', formData);

/** An Argyle Trigger in a workflow that was never activated, a fake Argyle, and n8n's three hooks and webhook. */
class TriggerFixture {
	service = new FakeArgyle({});

	readonly receiver = new WebhookReceiver(async (request, response) => await this.runWebhook(request, response));

	credential: IDataObject = {};

	parameters: IDataObject = {};

	/** n8n's static data of the whole workflow; kept between the hooks, as in n8n's database. */
	staticData: IDataObject = {};

	workflowId = '';

	webhookBase = WEBHOOK_BASE;

	/** Whether a person listens for a test event in the editor. */
	isTest = false;

	async start(): Promise<void> {
		this.service = await startFakeArgyle({ requestsPerSecond: 1_000 });
		await this.receiver.start();
		this.credential = credentialFor(this.service);
		this.parameters = { events: ['user_forms.submitted'], options: {} };
		this.staticData = {};
		this.workflowId = randomUUID();
		this.webhookBase = WEBHOOK_BASE;
		this.isTest = false;
	}

	async stop(): Promise<void> {
		await this.receiver.stop();
		await this.service.stop();
	}

	/** The trigger's part of the static data. */
	get state(): IDataObject {
		return JSON.parse(JSON.stringify(this.staticData['node:Node'] ?? {}));
	}

	/** The webhook URL that n8n gives to the trigger. */
	get url(): string {
		return `${this.webhookBase}${this.isTest ? '-test' : ''}/${WEBHOOK_ID}/webhook`;
	}

	/** Activates as n8n does: `checkExists`, then `create` if that returns false. */
	async activate(): Promise<void> {
		if (!(await this.runHook('checkExists'))) await this.runHook('create');
	}

	/** Runs one of n8n's hooks. Keeps what it wrote into static data even if it throws, as n8n does. */
	async runHook(name: 'checkExists' | 'create' | 'delete'): Promise<boolean> {
		const { workflow, node } = createWorkflow(triggerNode, this);
		const context = new HookContext(
			workflow,
			node,
			createAdditionalData(this.credential, this.webhookBase),
			this.isTest ? 'manual' : 'trigger',
			this.isTest ? 'manual' : 'activate',
			this.webhookData(),
		);
		try {
			return await triggerNode.webhookMethods.default[name].call(context);
		} finally {
			this.staticData = JSON.parse(JSON.stringify(workflow.staticData));
		}
	}

	/** Runs `webhook()` in n8n's context of one call. */
	async runWebhook(httpRequest: Request, httpResponse: Response): Promise<WebhookResult> {
		const { workflow, node } = createWorkflow(triggerNode, this);
		const context = new WebhookContext(
			workflow,
			node,
			createAdditionalData(this.credential, this.webhookBase, { httpRequest, httpResponse }),
			this.isTest ? 'manual' : 'webhook',
			this.webhookData(),
			[],
			null,
		);
		return { result: await triggerNode.webhook.call(context), staticData: workflow.staticData };
	}

	/** Calls the trigger's URL over HTTP, with a valid signature unless `headers` has another or `secret` is wrong. */
	async deliver(body: string | Buffer, options: CallOptions & { secret?: unknown } = {}): Promise<CallResult> {
		const { secret = this.state.secret, headers, ...rest } = options;
		return await this.receiver.call(body, {
			headers: { 'X-Argyle-Signature': sign(body, String(secret)), ...headers },
			...rest,
		});
	}

	allSubscriptions(): Subscription[] {
		return [...this.service.subscriptions.values()];
	}

	/** The subscriptions that deliver to the trigger's URL. */
	ownSubscriptions(): Subscription[] {
		return this.allSubscriptions().filter(({ url }) => url === this.url);
	}

	/** Stores a subscription that the trigger didn't create, or doesn't remember. */
	foreignSubscription(fields: Partial<Subscription> = {}): Subscription {
		const subscription = {
			...newSubscription({ name: 'Foreign', url: 'https://elsewhere.example.com', events: ['*'], secret: null }),
			...fields,
		};
		this.service.subscriptions.set(subscription.id, subscription);
		return subscription;
	}

	/** How many requests of this method Argyle has received. */
	requestCount(method: string): number {
		return this.service.requests.filter((request) => request.method === method).length;
	}

	private webhookData(): IWebhookData {
		const [webhookDescription] = triggerNode.description.webhooks ?? [];
		if (webhookDescription === undefined) throw new Error('the trigger has no webhook');
		return {
			httpMethod: 'POST',
			node: 'Node',
			path: `${WEBHOOK_ID}/webhook`,
			webhookDescription,
			workflowId: this.workflowId,
			workflowExecuteAdditionalData: createAdditionalData({}),
			isTest: this.isTest,
		};
	}
}

/** A new trigger and a new fake Argyle for each test of the file, cleaned up after it. */
export function useTriggerFixture(): TriggerFixture {
	const trigger = new TriggerFixture();
	beforeEach(async () => await trigger.start());
	afterEach(async () => {
		jest.restoreAllMocks();
		await trigger.stop();
	});
	return trigger;
}
