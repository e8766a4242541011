import { Container } from '@n8n/di';
import { BinaryDataService, ExecuteContext, LoadOptionsContext } from 'n8n-core';
import {
	createEmptyRunExecutionData,
	type IBinaryData,
	type INode,
	type INodeExecutionData,
	type IRunExecutionData,
	type IWorkflowSettings,
	type NodeApiError,
	type NodeOperationError,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { credentialFor } from '../fakeArgyle/credential.mts';
import { FakeArgyle, type FakeArgyleOptions, startFakeArgyle } from '../fakeArgyle/index.mts';
import { newSubscription } from '../fakeArgyle/webhooks.mts';
import { until } from '../n8n/until.mts';
import { actionNode, createAdditionalData, createWorkflow, failure, WEBHOOK_BASE } from './n8nContext.mts';

export interface RunOptions {
	/** @default one empty item */
	items?: INodeExecutionData[];
	continueOnFail?: boolean;
	onError?: INode['onError'];
	/** Whether an agent runs the node as its tool; what its model gives is the first item. */
	isTool?: boolean;
	/** Cancels the execution. */
	signal?: AbortSignal;
	settings?: IWorkflowSettings;
	/** @default 'manual' */
	mode?: WorkflowExecuteMode;
	/**
	 * n8n's Retry On Fail repeats the node within one execution: run it again with the same ID. Null is none, as behind
	 * an MCP Server Trigger. @default a new one
	 */
	executionId?: string | null;
	/** Of the node within the execution: n8n counts its rounds in a loop. @default 0 */
	runIndex?: number;
	retryOnFail?: boolean;
	/** What the node leaves in the execution beside its output. */
	executionData?: IRunExecutionData;
}

let executions = 0;

/** n8n's own execution context of the Argyle node. */
export function nodeContext(credential: object, parameters: object, options: RunOptions = {}): ExecuteContext {
	const {
		items = [{ json: {} }],
		signal,
		mode = 'manual',
		executionId = `execution-${executions++}`,
		runIndex = 0,
		executionData = createEmptyRunExecutionData(),
		...rest
	} = options;
	const { workflow, node } = createWorkflow(actionNode, { parameters, ...rest });
	const input = { main: [items] };
	return new ExecuteContext(
		workflow,
		node,
		createAdditionalData(credential, WEBHOOK_BASE, { executionId: executionId ?? undefined }),
		mode,
		executionData,
		runIndex,
		items,
		input,
		{ node, data: input, source: null },
		[],
		signal,
	);
}

/** Runs the Argyle node and returns its output items. */
export async function runNode(
	credential: object,
	parameters: object,
	options?: RunOptions,
): Promise<INodeExecutionData[]> {
	await Container.get(BinaryDataService).init();
	const [output] = await actionNode.execute.call(nodeContext(credential, parameters, options));
	if (output === undefined) throw new Error('the node has no output');
	return output;
}

/** The bytes of an output's binary, wherever n8n stores them. */
export async function binaryBytes(binary: IBinaryData | undefined): Promise<Buffer> {
	if (binary === undefined) throw new Error('the item has no binary');
	return await Container.get(BinaryDataService).getAsBuffer(binary);
}

/** An ID as a resource locator's "By ID" saves it. */
export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** An ID of the customer's own, as "By External ID" saves it. */
export const byExternalId = (value: unknown) => ({ __rl: true, mode: 'externalId', value });

/** The saved parameters of Invite: Send, which writes to Alex Sample by e-mail. */
export const inviteParameters = (email = 'alex@example.com', more: object = {}) => ({
	...{ resource: 'invite', operation: 'send', firstName: 'Alex', lastName: 'Sample' },
	...{ sendBy: 'email', email, additionalFields: {}, ...more },
});

/** Stops an execution once it is under way, and resolves with the error that it ends with. */
export async function stopOnce(
	isUnderWay: () => boolean,
	execute: (signal: AbortSignal) => Promise<unknown>,
): Promise<NodeApiError | NodeOperationError> {
	const execution = new AbortController();
	const error = failure(execute(execution.signal));
	await until('the execution is under way', 10_000, async () => isUnderWay() || undefined).finally(() =>
		execution.abort(),
	);
	return await error;
}

/** The saved parameters of Generate Receipt. */
export const receiptParameters = (userId: string, more: object = {}) => ({
	resource: 'receipt',
	operation: 'generate',
	userId: byId(userId),
	binaryPropertyName: 'data',
	options: {},
	...more,
});

/** The Argyle node and a fake Argyle. */
export class NodeFixture {
	service = new FakeArgyle({});

	/** Starts a new fake Argyle, in place of the one before. */
	async start(options: FakeArgyleOptions = {}): Promise<void> {
		await this.service.stop();
		this.service = await startFakeArgyle(options);
	}

	get credential() {
		return credentialFor(this.service);
	}

	/** The ID of one of Argyle's users. */
	userId(index = 0): string {
		const id = [...this.service.users.keys()][index];
		if (id === undefined) throw new Error(`there is no user ${index}`);
		return id;
	}

	async run(parameters: object, options?: RunOptions): Promise<INodeExecutionData[]> {
		return await runNode(this.credential, parameters, options);
	}

	/** The message with which an execution is refused before anything was sent to Argyle. */
	async refusalOf(execution: Promise<unknown>): Promise<string> {
		const { message } = await failure(execution);
		expect(this.service.requests).toEqual([]);
		return message;
	}

	/** Searches one of the node's lists, as a resource locator does. */
	async search(
		method: keyof typeof actionNode.methods.listSearch,
		filter?: string,
		paginationToken?: string,
		credential: object = this.credential,
	) {
		const { workflow, node } = createWorkflow(actionNode, { parameters: {} });
		const context = new LoadOptionsContext(workflow, node, createAdditionalData(credential), '');
		return await actionNode.methods.listSearch[method].call(context, filter, paginationToken);
	}

	/** All pages of such a list, as n8n asks for them while somebody scrolls. */
	async searchPages(method: keyof typeof actionNode.methods.listSearch, filter?: string) {
		const pages = [await this.search(method, filter)];
		for (let token = pages[0]?.paginationToken; token !== undefined; token = pages.at(-1)?.paginationToken)
			pages.push(await this.search(method, filter, String(token)));
		return pages;
	}

	/** What was sent to Argyle, without what was only looked up. */
	writes() {
		return this.service.requests
			.filter(({ method }) => method !== 'GET')
			.map(({ method, path, body }) => ({ method, path, body }));
	}

	/** Stores subscriptions, each a second younger than the one before; every second one has the secret "clear". */
	addSubscriptions(count: number): void {
		for (let index = 0; index < count; index++) {
			const secret = index % 2 ? 'clear' : null;
			const subscription = newSubscription({ name: `n${index}`, url: 'https://example.com', events: ['*'], secret });
			const created_at = new Date(Date.UTC(2026, 0, 1) + index * 1_000).toISOString();
			this.service.subscriptions.set(subscription.id, { ...subscription, created_at });
		}
	}
}

/** A new fake Argyle for each test of the file, cleaned up after it. */
export function useNodeFixture(options?: FakeArgyleOptions): NodeFixture {
	const node = new NodeFixture();
	beforeEach(async () => await node.start(options));
	afterEach(async () => {
		jest.restoreAllMocks();
		await node.service.stop();
	});
	return node;
}
