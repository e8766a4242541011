import { randomUUID } from 'node:crypto';
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { Request, Response } from 'express';
import {
	createEmptyRunExecutionData,
	type IDataObject,
	type INodeExecutionData,
	UserError,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { submittedForm } from '../../../nodes/Argyle/api/delivery';
import { ArgyleTrigger } from '../../../nodes/Argyle/ArgyleTrigger.node';
import { clock } from '../../../nodes/Argyle/utils/clock';
import { credentialFor } from '../fakeArgyle/credential.mts';
import { eventBody, sign } from '../fakeArgyle/signedEvent.mts';
import { FakeArgyle, startFakeArgyle, type Subscription } from '../fakeArgyle/index.mts';
import type { RecordTypeName } from '../fakeArgyle/recordTypes.mts';
import { newSubscription } from '../fakeArgyle/webhooks.mts';
import { type Emitted, ENDED, type Executions, failedAt, failedRun } from './emitted.mts';
import { loadTriggerNode } from './loadTriggerNode.mts';
import { WEBHOOK_ID } from './n8nContext.mts';
import { processedValues } from './processedValues.mts';
import { callExecute, callHook, callTrigger, callWebhook, copyOf } from './triggerCalls.mts';
import { type CallOptions, type CallResult, WebhookReceiver, type WebhookResult } from './webhookReceiver.mts';

/** A multiple of both intervals of the watch, so that a regular look comes a whole interval after the last one. */
const UPTIME_MS = 57 * 60_000;

/** The `data` of a `user_forms.submitted` event. */
export const formData = { account: randomUUID(), user: randomUUID(), user_form: randomUUID() };

/** The body of its delivery, as Argyle writes it. */
export const formDelivery = eventBody('user_forms.submitted', 'Forms', formData);

/** An Argyle Trigger in a workflow that was never activated, a fake Argyle, and what n8n calls of the trigger. */
class TriggerFixture {
	service = new FakeArgyle({});

	node = new ArgyleTrigger();

	/** The process that deliveries come to in queue mode, where it is another one than `node`. */
	webhookNode: ArgyleTrigger | undefined;

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

	/** For how many milliseconds n8n's process has run. */
	uptime = UPTIME_MS;

	/** Whether a person listens for a test event in the editor. */
	isTest = false;

	executions: Executions = 'run';

	/** True is n8n's "Continue (using regular output)". */
	continueOnFail = false;

	private running: Array<Promise<void>> = [];

	/** The deduplication keys of the executions that n8n has. */
	private readonly keys = new Set<string>();

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
		this.uptime = UPTIME_MS;
		this.isTest = false;
		this.executions = 'run';
		this.continueOnFail = false;
		this.running = [];
		this.node = new ArgyleTrigger();
		this.webhookNode = undefined;
		for (const list of [this.emitted, this.failedExecutions, this.warnings]) list.length = 0;
		this.keys.clear();
		jest.spyOn(clock, 'uptime').mockImplementation(() => this.uptime);
		jest.replaceProperty(clock, 'phaseMs', 0);
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

	async runHook(name: 'checkExists' | 'create' | 'delete'): Promise<boolean> {
		return await callHook(this, name);
	}

	async runWebhook(request: Request, response: Response): Promise<WebhookResult> {
		return await callWebhook(this, this.webhookNode ?? this.node, request, response);
	}

	/**
	 * Runs `trigger()` as n8n does at a start and a publish. Returns n8n's way to end it, at the end of the test at
	 * last.
	 */
	async runTrigger(): Promise<() => Promise<void>> {
		const closeFunction = await callTrigger(
			this,
			(emission) => this.execute(emission),
			(error) => this.failedExecutions.push(error),
		);
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
		const { execution, deduplicationKey } = emitted;
		if (this.executions === 'are not stored') {
			return execution?.reject(new Error('SQLITE_BUSY: database is locked'));
		}
		// As n8n's engine 2.0 does.
		if (this.executions === 'are refused with a promise' && execution !== undefined) {
			return execution.reject(new UserError('Engine 2.0 cannot run a trigger that waits for its execution'));
		}
		// n8n drops an execution when it has one with the same deduplication key that has begun, whatever its types say.
		const drop = () => {
			this.running.push(new Promise(setImmediate));
			if (execution !== undefined) Reflect.apply(execution.resolve, undefined, []);
		};
		if (deduplicationKey !== undefined && this.keys.has(deduplicationKey)) return drop();
		this.emitted.push(emitted);
		if (this.executions === 'are dropped') return drop();
		if (deduplicationKey !== undefined && this.executions !== 'wait') this.keys.add(deduplicationKey);
		if (this.executions !== 'wait') this.running.push(this.runEmitted(emitted));
	}

	private async runEmitted(emitted: Emitted): Promise<void> {
		if (this.executions === 'run elsewhere') return emitted.execution?.resolve(ENDED);
		if (this.executions === 'are killed elsewhere') return emitted.execution?.resolve(failedAt(undefined));
		const items = emitted.items.map((json) => ({ json: copyOf(json) }));
		await this.runExecute(items, 'trigger').then(
			(output) => (emitted.output = output.map(({ json }) => json)),
			(error: unknown) => (emitted.error = error),
		);
		emitted.execution?.resolve(emitted.error === undefined ? ENDED : failedRun(emitted.error));
	}

	/** The forms with which an execution that the trigger started by itself has gone on, or may go on. */
	startedForms(): Array<string | undefined> {
		return this.emitted.flatMap(({ items, error, output = error === undefined ? items : [] }) =>
			output.map(submittedForm),
		);
	}

	/** Runs `execute()` with the items of an execution, which `signal` cancels. */
	async runExecute(
		items: INodeExecutionData[],
		mode: WorkflowExecuteMode = 'webhook',
		executionData = createEmptyRunExecutionData(),
		signal?: AbortSignal,
	): Promise<INodeExecutionData[]> {
		processedValues.open(this.workflowId);
		return await callExecute(this, items, mode, executionData, signal);
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

	/** Adds a record of a new account and user to a list of Argyle, created now unless `fields` say otherwise. */
	addRecord(list: RecordTypeName, fields: object = {}): IDataObject {
		const owner = { account: randomUUID(), user: randomUUID() };
		const times = { created_at: new Date(Date.now()).toISOString() };
		const [record = {}] = this.service.records.add(list, 1, owner, { ...times, ...fields });
		return record;
	}

	/** Argyle and the credential have a key with another ID from now on. */
	useAnotherKey(): void {
		this.service.key = { id: randomUUID(), secret: randomUUID() };
		Object.assign(this.credential, credentialFor(this.service));
	}

	/** What all executions that the trigger started by itself have gone on with. */
	started(): IDataObject[] {
		return this.emitted.flatMap(({ output = [] }) => output);
	}

	/** How many requests of this method Argyle has received. */
	requestCount(method: string): number {
		return this.service.requests.filter((request) => request.method === method).length;
	}
}

/** A new trigger and a new fake Argyle for each test of the file, cleaned up after it. */
export function useTriggerFixture(): TriggerFixture {
	const trigger = new TriggerFixture();
	beforeEach(async () => {
		await trigger.start();
	});
	afterEach(async () => {
		await trigger.untilExecuted();
		jest.restoreAllMocks();
		processedValues.close();
		await trigger.stop();
	});
	return trigger;
}
