import { parse } from 'flatted';
import { isJson, type Json } from '../json.mts';
import { until } from './until.mts';

/** A workflow as n8n's REST API gives it. */
export interface StoredWorkflow {
	id: string;
	name: string;
	versionId: string;
	nodes: unknown[];
}

/** An execution in n8n's list. */
export interface ListedExecution {
	id: string;
	status: string;
	mode: string;
}

/** One item that a node put out. */
export interface OutputItem {
	json: Json;
	binary?: Record<string, { id?: string; data: string; fileName?: string; mimeType: string }>;
	pairedItem?: { item: number };
}

/** An execution with the output of each node. */
export interface FullExecution extends ListedExecution {
	/** The first output of each node's first run, by the node's name. */
	output: Record<string, OutputItem[]>;
	/** The message of what stopped it. */
	error: string | undefined;
}

/** Whether a published workflow's trigger is registered. */
export interface PublicationStatus {
	status: string;
	triggers: Array<{ status: string; errorMessage?: string | null }>;
}

const OWNER = { email: 'owner@example.com', password: 'Correct-horse-7', firstName: 'Olivia', lastName: 'Owner' };

/** n8n's own REST API, as its screens use it. */
export class N8nClient {
	readonly origin: string;

	readonly owner = OWNER;

	private cookie = '';

	constructor(origin: string) {
		this.origin = origin;
	}

	/** One call; gives `data` of the answer. Rejects with n8n's own message. */
	async call(method: string, path: string, body?: unknown): Promise<unknown> {
		const response = await this.send(method, path, body);
		const text = await response.text();
		const answer: unknown = text === '' ? undefined : JSON.parse(text);
		if (!response.ok)
			throw new Error(`${method} ${path}: ${response.status} ${isJson(answer) ? String(answer.message) : text}`);
		return isJson(answer) && 'data' in answer ? answer.data : answer;
	}

	private async send(method: string, path: string, body?: unknown): Promise<Response> {
		return await fetch(`${this.origin}/rest${path}`, {
			method,
			headers: { 'Content-Type': 'application/json', 'browser-id': 'tests', Cookie: this.cookie },
			body: body === undefined ? undefined : JSON.stringify(body),
		});
	}

	private async json(method: string, path: string, body?: unknown): Promise<Json> {
		const data = await this.call(method, path, body);
		if (!isJson(data)) throw new Error(`${method} ${path} gave no object`);
		return data;
	}

	/** Makes the owner of a new n8n, or signs in to one that has its owner already. */
	async signIn(): Promise<void> {
		const { email, password } = this.owner;
		const setUp = await this.send('POST', '/owner/setup', this.owner);
		const response = setUp.ok ? setUp : await this.send('POST', '/login', { emailOrLdapLoginId: email, password });
		if (!response.ok) throw new Error(`Could not sign in to n8n: ${await response.text()}`);
		this.cookie = response.headers
			.getSetCookie()
			.map((cookie) => cookie.split(';')[0])
			.join('; ');
	}

	/** Stores a credential; gives what a node refers to it by. */
	async createCredential(name: string, type: string, data: Json): Promise<{ id: string; name: string }> {
		const { id } = await this.json('POST', '/credentials', { name, type, data });
		return { id: String(id), name };
	}

	/** n8n's test of a credential, as its screen runs it. */
	async testCredential(type: string, data: Json): Promise<{ status: string; message: string }> {
		const result = await this.json('POST', '/credentials/test', {
			credentials: { id: '', name: 'tested', type, data },
		});
		return { status: String(result.status), message: String(result.message) };
	}

	async createWorkflow(name: string, nodes: unknown[], connections: Json): Promise<StoredWorkflow> {
		return toWorkflow(
			await this.json('POST', '/workflows', { name, nodes, connections, settings: { executionOrder: 'v1' } }),
		);
	}

	/** Saves new nodes as a new version; the published one goes on. */
	async updateWorkflow(workflow: StoredWorkflow, nodes: unknown[]): Promise<StoredWorkflow> {
		return toWorkflow(await this.json('PATCH', `/workflows/${workflow.id}`, { nodes, versionId: workflow.versionId }));
	}

	async workflows(): Promise<Array<{ id: string; name: string }>> {
		const data = await this.call('GET', '/workflows');
		return (Array.isArray(data) ? data : [])
			.filter(isJson)
			.map(({ id, name }) => ({ id: String(id), name: String(name) }));
	}

	/** Publishes a version and waits until its trigger is registered. Rejects with what n8n says when it can't be. */
	async publish({ id, versionId }: StoredWorkflow, deadlineMs = 60_000): Promise<void> {
		await this.call('POST', `/workflows/${id}/activate`, { versionId });
		const { status, triggers } = await until('the workflow is published', deadlineMs, async () => {
			const seen = await this.publicationStatus(id);
			return seen.status === 'in_progress' ? undefined : seen;
		});
		if (status !== 'published')
			throw new Error(`${status}: ${triggers.map(({ errorMessage }) => errorMessage).join('; ')}`);
	}

	async publicationStatus(id: string): Promise<PublicationStatus> {
		const { status, triggers } = await this.json('GET', `/workflows/${id}/publication-status`);
		const list = (Array.isArray(triggers) ? triggers : []).filter(isJson);
		return {
			status: String(status),
			triggers: list.map((trigger) => ({
				status: String(trigger.status),
				errorMessage: trigger.errorMessage === null ? null : String(trigger.errorMessage),
			})),
		};
	}

	/** Unpublishes and waits until the trigger is gone. */
	async unpublish(id: string, deadlineMs = 60_000): Promise<void> {
		await this.call('POST', `/workflows/${id}/deactivate`, {});
		await until('the workflow is unpublished', deadlineMs, async () => {
			const { status } = await this.publicationStatus(id);
			return status === 'not_published' ? true : undefined;
		});
	}

	async deleteWorkflow(id: string): Promise<void> {
		await this.call('POST', `/workflows/${id}/archive`, {});
		await this.call('DELETE', `/workflows/${id}`);
	}

	/**
	 * Runs a workflow by hand from a trigger; gives the execution's id, undefined while n8n listens for a test event.
	 */
	async run(id: string, triggerName: string): Promise<string | undefined> {
		const { executionId } = await this.json('POST', `/workflows/${id}/run`, {
			triggerToStartFrom: { name: triggerName },
		});
		return executionId === undefined ? undefined : String(executionId);
	}

	async stopListening(id: string): Promise<void> {
		await this.call('DELETE', `/test-webhook/${id}`);
	}

	async executions(workflowId: string): Promise<ListedExecution[]> {
		const { results } = await this.json(
			'GET',
			`/executions?filter=${encodeURIComponent(JSON.stringify({ workflowId }))}&limit=100`,
		);
		return (Array.isArray(results) ? results : [])
			.filter(isJson)
			.map(({ id, status, mode }) => ({ id: String(id), status: String(status), mode: String(mode) }));
	}

	/** Waits until the workflow has this many ended executions; gives them, the latest first. */
	async waitForExecutions(workflowId: string, count: number, deadlineMs = 30_000): Promise<ListedExecution[]> {
		return await until(`${count} executions have ended`, deadlineMs, async () => {
			const all = await this.executions(workflowId);
			return all.length >= count && all.every(({ status }) => !['new', 'running', 'waiting'].includes(status))
				? all
				: undefined;
		});
	}

	async execution(id: string): Promise<FullExecution> {
		const { status, mode, data } = await this.json('GET', `/executions/${id}`);
		const run: unknown = parse(String(data));
		const result = isJson(run) && isJson(run.resultData) ? run.resultData : {};
		const output: Record<string, OutputItem[]> = {};
		for (const [node, tasks] of Object.entries(isJson(result.runData) ? result.runData : {}))
			output[node] = firstOutput(tasks);
		return {
			id,
			status: String(status),
			mode: String(mode),
			output,
			error: isJson(result.error) ? String(result.error.message) : undefined,
		};
	}

	/** The bytes of a binary, wherever n8n keeps them. */
	async binary({ id, data }: { id?: string; data: string }): Promise<Buffer> {
		if (id === undefined) return Buffer.from(data, 'base64');
		const response = await this.send('GET', `/binary-data?id=${encodeURIComponent(id)}&action=download`);
		if (!response.ok) throw new Error(`binary ${id}: ${response.status}`);
		return Buffer.from(await response.arrayBuffer());
	}
}

function toWorkflow(data: Json): StoredWorkflow {
	return {
		id: String(data.id),
		name: String(data.name),
		versionId: String(data.versionId),
		nodes: Array.isArray(data.nodes) ? data.nodes : [],
	};
}

const isItem = (value: unknown): value is OutputItem => isJson(value) && isJson(value.json);

function firstOutput(tasks: unknown): OutputItem[] {
	const [task]: unknown[] = Array.isArray(tasks) ? tasks : [];
	const main = isJson(task) && isJson(task.data) ? task.data.main : undefined;
	const [items]: unknown[] = Array.isArray(main) ? main : [];
	return Array.isArray(items) ? items.filter(isItem) : [];
}
