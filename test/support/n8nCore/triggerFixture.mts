import { randomUUID } from 'node:crypto';
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { Request, Response } from 'express';
import { ExecuteContext, HookContext, TriggerContext, WebhookContext } from 'n8n-core';
import {
	createEmptyRunExecutionData,
	type GenericValue,
	type IDataObject,
	type INodeExecutionData,
	type IRun,
	type ITriggerFunctions,
	type IWebhookData,
	UserError,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { ArgyleTrigger } from '../../../nodes/Argyle/ArgyleTrigger.node';
import { credentialFor } from '../fakeArgyle/credential.mts';
import { eventBody, sign } from '../fakeArgyle/signedEvent.mts';
import { FakeArgyle, startFakeArgyle, type Subscription } from '../fakeArgyle/index.mts';
import { newSubscription } from '../fakeArgyle/webhooks.mts';
import { loadTriggerNode } from './loadTriggerNode.mts';
import { createAdditionalData, createWorkflow, WEBHOOK_ID } from './n8nContext.mts';
import { processedValues } from './processedValues.mts';
import { type CallOptions, type CallResult, WebhookReceiver, type WebhookResult } from './webhookReceiver.mts';

/** The `data` of a `user_forms.submitted` event. */
export const formData = { account: randomUUID(), user: randomUUID(), user_form: randomUUID() };

/** The body of its delivery, as Argyle writes it. */
export const formDelivery = eventBody('user_forms.submitted', 'Forms', formData);

/** An execution that the trigger started by itself, or saved as failed. */
interface Emitted {
	json: IDataObject;
	deduplicationKey: string | undefined;
	/** Resolved by n8n when the execution has ended, in whichever process it was. */
	execution: Parameters<ITriggerFunctions['emit']>[2];
	/** What the trigger puts out in the execution, once that has ended in this process. */
	output?: IDataObject[];
}

/** What becomes of the executions that the trigger starts by itself. */
type Executions = 'run' | 'run elsewhere' | 'wait' | 'are not stored' | 'are refused with a promise';

/** What n8n resolves the promise of an execution with. */
export const ENDED: IRun = {
	data: createEmptyRunExecutionData(),
	mode: 'trigger',
	startedAt: new Date(0),
	status: 'success',
	storedAt: 'db',
};

const copyOf = (data: GenericValue): IDataObject => JSON.parse(JSON.stringify(data));

/** An Argyle Trigger in a workflow that was never activated, a fake Argyle, and what n8n calls of the trigger. */
class TriggerFixture {
	service = new FakeArgyle({});

	node = new ArgyleTrigger();

	readonly emitted: Emitted[] = [];

	readonly failedExecutions: Error[] = [];

	/** What the trigger wrote into n8n's log as warnings. */
	readonly warnings: string[] = [];

	readonly receiver = new WebhookReceiver(async (request, response) => await this.runWebhook(request, response));

	credential: IDataObject = {};

	parameters: IDataObject = {};

	/** n8n's static data of the whole workflow; kept between the hooks, as in n8n's database. */
	staticData: IDataObject = {};

	workflowId = '';

	webhookBase = '';

	/** What n8n calls the hooks for. */
	activationMode: WorkflowActivateMode = 'activate';

	/** Whether a person listens for a test event in the editor. */
	isTest = false;

	executions: Executions = 'run';

	/** True is n8n's "Continue (using regular output)". */
	continueOnFail = false;

	private running: Array<Promise<void>> = [];

	private readonly closeFunctions: Array<() => Promise<void>> = [];

	async start(): Promise<void> {
		this.service = await startFakeArgyle({ requestsPerSecond: 1_000 });
		this.receiver.isRegistered = true;
		await this.receiver.start();
		this.credential = credentialFor(this.service);
		this.parameters = { events: ['user_forms.submitted'], includeUserForm: false, options: {} };
		this.staticData = {};
		this.workflowId = randomUUID();
		this.webhookBase = `${this.receiver.origin}/${randomUUID()}/webhook`;
		this.activationMode = 'activate';
		this.isTest = false;
		this.executions = 'run';
		this.continueOnFail = false;
		this.running = [];
		this.node = new ArgyleTrigger();
		for (const list of [this.emitted, this.failedExecutions, this.warnings]) list.length = 0;
		jest.spyOn(Container.get(Logger), 'warn').mockImplementation((message) => void this.warnings.push(message));
	}

	/** Forgets what the process remembers, as a restart of n8n does. */
	restart(): void {
		this.node = loadTriggerNode();
	}

	async stop(): Promise<void> {
		for (const close of this.closeFunctions.splice(0)) await close();
		await this.receiver.stop();
		await this.service.stop();
	}

	/** The trigger's part of the static data. */
	get state(): IDataObject {
		return copyOf(this.staticData['node:Node'] ?? {});
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
		const { workflow, node } = createWorkflow(this.node, this);
		const context = new HookContext(
			workflow,
			node,
			createAdditionalData(this.credential, this.webhookBase),
			this.isTest ? 'manual' : 'trigger',
			this.isTest ? 'manual' : this.activationMode,
			this.webhookData(),
		);
		try {
			return await this.node.webhookMethods.default[name].call(context);
		} finally {
			this.staticData = copyOf(workflow.staticData);
		}
	}

	/** Runs `webhook()` in n8n's context of one call. */
	async runWebhook(httpRequest: Request, httpResponse: Response): Promise<WebhookResult> {
		const { workflow, node } = createWorkflow(this.node, this);
		const context = new WebhookContext(
			workflow,
			node,
			createAdditionalData(this.credential, this.webhookBase, { httpRequest, httpResponse }),
			this.isTest ? 'manual' : 'webhook',
			this.webhookData(),
			[],
			null,
		);
		return { result: await this.node.webhook.call(context), staticData: workflow.staticData };
	}

	/**
	 * Runs `trigger()` as n8n does at a start and a publish. Returns n8n's way to end it, at the end of the test at
	 * last.
	 */
	async runTrigger(): Promise<() => Promise<void>> {
		const { workflow, node } = createWorkflow(this.node, { ...this, staticData: copyOf(this.staticData) });
		const saveStaticData = () => {
			if (workflow.staticData.__dataChanged === true) this.staticData = copyOf(workflow.staticData);
			workflow.staticData.__dataChanged = false;
		};
		const context = new TriggerContext(
			workflow,
			node,
			createAdditionalData(this.credential, this.webhookBase),
			'trigger',
			this.activationMode,
			([items = []], _response, execution, deduplicationKey) => {
				saveStaticData();
				for (const { json } of items) this.execute({ json, deduplicationKey, execution });
			},
			() => {},
			(error) => this.failedExecutions.push(error),
		);
		const { closeFunction = async () => {} } = await this.node.trigger.call(context);
		saveStaticData();
		this.closeFunctions.push(closeFunction);
		return closeFunction;
	}

	/**
	 * Resolves when all executions that the trigger has started by itself have ended, also those that follow on them.
	 */
	async untilExecuted(): Promise<void> {
		while (this.running.length > 0) await Promise.all(this.running.splice(0));
	}

	private execute(emitted: Emitted): void {
		const { execution } = emitted;
		if (this.executions === 'are not stored') {
			return execution?.reject(new Error('SQLITE_BUSY: database is locked'));
		}
		// As n8n's engine 2.0 does.
		if (this.executions === 'are refused with a promise' && execution !== undefined) {
			return execution.reject(new UserError('Engine 2.0 cannot run a trigger that waits for its execution'));
		}
		this.emitted.push(emitted);
		if (this.executions !== 'wait') this.running.push(this.runEmitted(emitted));
	}

	private async runEmitted(emitted: Emitted): Promise<void> {
		if (this.executions !== 'run elsewhere') {
			const output = await this.runExecute([{ json: copyOf(emitted.json) }], 'trigger');
			emitted.output = output.map(({ json }) => json);
		}
		emitted.execution?.resolve(ENDED);
	}

	/**
	 * Runs `execute()` with the items of an execution. Keeps what it wrote into static data, as n8n does at its end.
	 */
	async runExecute(
		items: INodeExecutionData[],
		mode: WorkflowExecuteMode = 'webhook',
		executionData = createEmptyRunExecutionData(),
	): Promise<INodeExecutionData[]> {
		const { workflow, node } = createWorkflow(this.node, this);
		const context = new ExecuteContext(
			workflow,
			node,
			createAdditionalData(this.credential, this.webhookBase),
			mode,
			executionData,
			0,
			items,
			{ main: [items] },
			{ node, data: { main: [items] }, source: null },
			[],
		);
		const [output = []] = await this.node.execute.call(context);
		this.staticData = copyOf(workflow.staticData);
		return output;
	}

	/** Calls the trigger's URL over HTTP, with a valid signature unless `headers` has another or `secret` is wrong. */
	async deliver(body: string | Buffer, options: CallOptions & { secret?: unknown } = {}): Promise<CallResult> {
		const { secret = this.ownSubscriptions()[0]?.secret, headers, ...rest } = options;
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
		const [webhookDescription] = this.node.description.webhooks ?? [];
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
	beforeEach(async () => {
		processedValues.rows.clear();
		await trigger.start();
	});
	afterEach(async () => {
		await trigger.untilExecuted();
		jest.restoreAllMocks();
		processedValues.onAccess = async () => {};
		await trigger.stop();
	});
	return trigger;
}
