import { isJson, type Json } from '../json.mts';
import {
	type FullExecution,
	type ListedExecution,
	type OutputItem,
	toFullExecution,
	toListedExecution,
} from './execution.mts';
import { inARow, type SavedNode } from './nodes.mts';
import { hasLegacyActivation } from './selectedVersion.mts';
import { until } from './until.mts';
import { type PublicationStatus, type StoredWorkflow, toPublicationStatus, toWorkflow } from './workflow.mts';

/** In legacy activation, n8n answers a publication only after it has registered the trigger, retries included. */
const ANSWER_DEADLINE_MS = 120_000;

/** The most that one answer has. */
const MAX_EXECUTIONS = 100;

const OWNER = { email: 'owner@example.com', password: 'Correct-horse-7', firstName: 'Olivia', lastName: 'Owner' };

/** Calls n8n's internal REST API, the one behind its editor. */
export class N8nClient {
	readonly origin: string;

	readonly owner: typeof OWNER;

	private cookie = '';

	constructor(origin: string, password = OWNER.password) {
		this.origin = origin;
		this.owner = { ...OWNER, password };
	}

	/** Returns the `data` of n8n's answer; throws n8n's message where that is an error. */
	async call(method: string, path: string, body?: unknown): Promise<unknown> {
		const response = await this.send(method, path, body);
		const text = await response.text();
		const answer = parsed(text);
		if (!response.ok) {
			const message = isJson(answer) && typeof answer.message === 'string' ? answer.message : text;
			throw new Error(`${method} ${path}: ${response.status} ${message}`);
		}
		return isJson(answer) && 'data' in answer ? answer.data : answer;
	}

	/** Retries while n8n answers 503: under load it does so before it has done anything ("Database is not ready!"). */
	private async send(method: string, path: string, body?: unknown): Promise<Response> {
		return await until('n8n is ready for a call', ANSWER_DEADLINE_MS, async () => {
			const response = await fetch(`${this.origin}/rest${path}`, {
				method,
				headers: { 'Content-Type': 'application/json', 'browser-id': 'tests', Cookie: this.cookie },
				body: body === undefined ? undefined : JSON.stringify(body),
				signal: AbortSignal.timeout(ANSWER_DEADLINE_MS),
			});
			return response.status === 503 ? undefined : response;
		});
	}

	private async json(method: string, path: string, body?: unknown): Promise<Json> {
		const data = await this.call(method, path, body);
		if (!isJson(data)) throw new Error(`${method} ${path} gave no object`);
		return data;
	}

	/** Sets up the owner of a new n8n, or signs in as the owner that there is. */
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

	async createCredential(name: string, type: string, data: Json): Promise<{ id: string; name: string }> {
		const { id } = await this.json('POST', '/credentials', { name, type, data });
		return { id: String(id), name };
	}

	/** Replaces the fields of a credential. n8n does not notify any node of it. */
	async updateCredential({ id, name }: { id: string; name: string }, type: string, data: Json): Promise<void> {
		await this.call('PATCH', `/credentials/${id}`, { name, type, data });
	}

	async createWorkflow(
		name: string,
		nodes: Array<{ name?: unknown }>,
		connections: Json = inARow(nodes),
		pinData: Json = {},
	): Promise<StoredWorkflow> {
		const settings = { executionOrder: 'v1' };
		return toWorkflow(await this.json('POST', '/workflows', { name, nodes, connections, pinData, settings }));
	}

	/** Publishes a new workflow, in which each node follows the one before. */
	async publishNew(name: string, nodes: SavedNode[]): Promise<StoredWorkflow> {
		const workflow = await this.createWorkflow(name, nodes);
		await this.publish(workflow);
		return workflow;
	}

	async workflow(id: string): Promise<StoredWorkflow> {
		return toWorkflow(await this.json('GET', `/workflows/${id}`));
	}

	/** The workflows that match n8n's filter, such as `{ active: true }`. */
	async workflows(filter: Json): Promise<StoredWorkflow[]> {
		const query = encodeURIComponent(JSON.stringify(filter));
		return (await this.list(`/workflows?filter=${query}`)).map(toWorkflow);
	}

	async credentialNamed(name: string): Promise<{ id: string; name: string } | undefined> {
		const found = (await this.list('/credentials')).find((credential) => credential.name === name);
		return found === undefined ? undefined : { id: String(found.id), name };
	}

	/** For the demo and `npm run dev`, which keep their n8n: a second start must not leave two credentials of one name. */
	async storeCredential(name: string, type: string, data: Json): Promise<{ id: string; name: string }> {
		const stored = await this.credentialNamed(name);
		if (stored === undefined) return await this.createCredential(name, type, data);
		await this.updateCredential(stored, type, data);
		return stored;
	}

	private async list(path: string): Promise<Json[]> {
		const data = await this.call('GET', path);
		return Array.isArray(data) ? data.filter(isJson) : [];
	}

	/** Saves a new version; the published one stays as it is. */
	async updateWorkflow(
		{ id, name, versionId }: StoredWorkflow,
		nodes: SavedNode[],
		connections: Json = inARow(nodes),
	): Promise<StoredWorkflow> {
		return toWorkflow(await this.json('PATCH', `/workflows/${id}`, { name, nodes, connections, versionId }));
	}

	/** Has another workflow told of every execution of this one that fails. */
	async setErrorWorkflow({ id, versionId }: StoredWorkflow, errorWorkflow: string): Promise<StoredWorkflow> {
		const settings = { executionOrder: 'v1', errorWorkflow };
		return toWorkflow(await this.json('PATCH', `/workflows/${id}`, { settings, versionId }));
	}

	async archive(id: string): Promise<void> {
		await this.call('POST', `/workflows/${id}/archive`);
	}

	async deleteWorkflow(id: string): Promise<void> {
		await this.call('DELETE', `/workflows/${id}`);
	}

	/**
	 * Publishes a version and waits until its trigger is registered; throws n8n's message where it can't be. In legacy
	 * activation, n8n answers when that is done.
	 */
	async publish({ id, versionId }: Pick<StoredWorkflow, 'id' | 'versionId'>, deadlineMs = 60_000): Promise<void> {
		await this.call('POST', `/workflows/${id}/activate`, { versionId });
		if (hasLegacyActivation) return;
		const { status, errors } = await until('the workflow is published', deadlineMs, async () => {
			const isInProgress = (await this.publicationStatus(id)).status === 'in_progress';
			// n8n reads the publication and its triggers apart: the first answer after the end may know of neither.
			return isInProgress ? undefined : await this.publicationStatus(id);
		});
		if (status !== 'published') throw new Error(`${status}: ${errors.join('; ')}`);
	}

	async publicationStatus(id: string): Promise<PublicationStatus> {
		return toPublicationStatus(await this.json('GET', `/workflows/${id}/publication-status`));
	}

	async unpublish(id: string, deadlineMs = 60_000): Promise<void> {
		await this.call('POST', `/workflows/${id}/deactivate`, {});
		if (hasLegacyActivation) return;
		await until('the workflow is unpublished', deadlineMs, async () => {
			const { status } = await this.publicationStatus(id);
			return status === 'not_published' ? true : undefined;
		});
	}

	/** Runs a workflow by hand. Returns the execution's id; undefined when n8n listens for a test event instead. */
	async run(id: string, triggerName: string): Promise<string | undefined> {
		const { executionId } = await this.json('POST', `/workflows/${id}/run`, {
			triggerToStartFrom: { name: triggerName },
		});
		return executionId === undefined ? undefined : String(executionId);
	}

	/** Runs a workflow up to a node, as *Execute step* does, from the output of the nodes that have run. */
	async executeStep(id: string, nodeName: string, output: Record<string, OutputItem[]> = {}): Promise<string> {
		const task = { startTime: 0, executionTime: 0, executionIndex: 0, executionStatus: 'success', source: [] };
		const runData = Object.fromEntries(
			Object.entries(output).map(([node, items]) => [node, [{ ...task, data: { main: [items] } }]]),
		);
		const destinationNode = { nodeName, mode: 'inclusive' };
		const { executionId } = await this.json('POST', `/workflows/${id}/run`, { destinationNode, runData });
		return String(executionId);
	}

	async stopListening(id: string): Promise<void> {
		await this.call('DELETE', `/test-webhook/${id}`);
	}

	/** All executions, the latest first. n8n turns pages by a cursor; up to 2.39 by the last execution. */
	async executions(workflowId: string): Promise<ListedExecution[]> {
		const executions: ListedExecution[] = [];
		const query = new URLSearchParams({ filter: JSON.stringify({ workflowId }), limit: String(MAX_EXECUTIONS) });
		for (;;) {
			const { results, nextCursor } = await this.json('GET', `/executions?${query.toString()}`);
			const page = (Array.isArray(results) ? results : []).filter(isJson).map(toListedExecution);
			executions.push(...page);
			const oldest = executions.at(-1);
			if (page.length < MAX_EXECUTIONS || oldest === undefined || nextCursor === null) return executions;
			if (nextCursor === undefined) query.set('lastId', oldest.id);
			else query.set('cursor', String(nextCursor));
		}
	}

	/** Waits until the workflow has at least this many executions and all have ended; returns them, latest first. */
	async waitForExecutions(workflowId: string, count: number, deadlineMs = 120_000): Promise<ListedExecution[]> {
		return await until(`${count} executions have ended`, deadlineMs, async () => {
			const all = await this.executions(workflowId);
			return all.length >= count && all.every(({ status }) => !['new', 'running', 'waiting'].includes(status))
				? all
				: undefined;
		});
	}

	async execution(id: string): Promise<FullExecution> {
		return toFullExecution(await this.json('GET', `/executions/${id}`));
	}

	/** The bytes of a file in an item, wherever n8n stores them. */
	async binary({ id, data }: { id?: string; data: string }): Promise<Buffer> {
		if (id === undefined) return Buffer.from(data, 'base64');
		const response = await this.send('GET', `/binary-data?id=${encodeURIComponent(id)}&action=download`);
		if (!response.ok) throw new Error(`binary ${id}: ${response.status}`);
		return Buffer.from(await response.arrayBuffer());
	}
}

/** The text itself where it is no JSON, such as the page of a route that does not exist. */
function parsed(text: string): unknown {
	try {
		return text === '' ? undefined : JSON.parse(text);
	} catch {
		return text;
	}
}
