import { isJson, type Json } from '../json.mts';
import { type FullExecution, type ListedExecution, toFullExecution, toListedExecution } from './execution.mts';
import { until } from './until.mts';

/** A workflow as n8n's REST API gives it. */
export interface StoredWorkflow {
	id: string;
	name: string;
	versionId: string;
	nodes: unknown[];
}

/** Whether a published workflow's trigger is registered. */
export interface PublicationStatus {
	status: string;
	triggers: Array<{ status: string; errorMessage: string | null }>;
}

/** Older n8n registers triggers, with all its repeats, before it answers. */
const ANSWER_DEADLINE_MS = 120_000;

const OWNER = { email: 'owner@example.com', password: 'Correct-horse-7', firstName: 'Olivia', lastName: 'Owner' };

/** n8n's own REST API, as its screens use it. */
export class N8nClient {
	readonly origin: string;

	readonly owner = OWNER;

	private readonly hasLegacyActivation: boolean;

	private cookie = '';

	/**
	 * `hasLegacyActivation` for an n8n that registers triggers before it answers, as n8n did up to 2.39 and does without its publication
	 * service.
	 */
	constructor(origin: string, { hasLegacyActivation = false } = {}) {
		this.origin = origin;
		this.hasLegacyActivation = hasLegacyActivation;
	}

	/** One call; gives `data` of the answer. Rejects with n8n's own message. */
	async call(method: string, path: string, body?: unknown): Promise<unknown> {
		const response = await this.send(method, path, body);
		const text = await response.text();
		const answer = parsed(text);
		if (!response.ok)
			throw new Error(
				`${method} ${path}: ${response.status} ${isJson(answer) && typeof answer.message === 'string' ? answer.message : text}`,
			);
		return isJson(answer) && 'data' in answer ? answer.data : answer;
	}

	/** Sends again while n8n answers 503, as it does under load before it has done anything ("Database is not ready!"). */
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

	/** Gives a credential other fields; n8n tells no node. */
	async updateCredential({ id, name }: { id: string; name: string }, type: string, data: Json): Promise<void> {
		await this.call('PATCH', `/credentials/${id}`, { name, type, data });
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

	/** Saves other nodes as a new version; what is published stays as it is. */
	async updateWorkflow(
		{ id, name, versionId }: StoredWorkflow,
		nodes: unknown[],
		connections: Json,
	): Promise<StoredWorkflow> {
		return toWorkflow(await this.json('PATCH', `/workflows/${id}`, { name, nodes, connections, versionId }));
	}

	/** Unpublishes and puts away. */
	async archive(id: string): Promise<void> {
		await this.call('POST', `/workflows/${id}/archive`);
	}

	/** Deletes a workflow that is archived. */
	async deleteWorkflow(id: string): Promise<void> {
		await this.call('DELETE', `/workflows/${id}`);
	}

	/** Publishes a version and waits until its trigger is registered. Rejects with what n8n says when it can't be. */
	async publish({ id, versionId }: StoredWorkflow, deadlineMs = 60_000): Promise<void> {
		await this.call('POST', `/workflows/${id}/activate`, { versionId });
		if (this.hasLegacyActivation) return;
		const { status, triggers } = await until('the workflow is published', deadlineMs, async () => {
			// An n8n under load may say 503 for a moment.
			const seen = await this.publicationStatus(id).catch(undefinedWhenBusy);
			return seen === undefined || seen.status === 'in_progress' ? undefined : seen;
		});
		if (status !== 'published')
			throw new Error(`${status}: ${triggers.flatMap(({ errorMessage }) => errorMessage ?? []).join('; ')}`);
	}

	async publicationStatus(id: string): Promise<PublicationStatus> {
		const { status, triggers } = await this.json('GET', `/workflows/${id}/publication-status`);
		const list = (Array.isArray(triggers) ? triggers : []).filter(isJson);
		return {
			status: String(status),
			triggers: list.map((trigger) => ({
				status: String(trigger.status),
				errorMessage: typeof trigger.errorMessage === 'string' ? trigger.errorMessage : null,
			})),
		};
	}

	/** Unpublishes and waits until the trigger is gone. */
	async unpublish(id: string, deadlineMs = 60_000): Promise<void> {
		await this.call('POST', `/workflows/${id}/deactivate`, {});
		if (this.hasLegacyActivation) return;
		await until('the workflow is unpublished', deadlineMs, async () => {
			const { status } = await this.publicationStatus(id);
			return status === 'not_published' ? true : undefined;
		});
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
		return (Array.isArray(results) ? results : []).filter(isJson).map(toListedExecution);
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
		return toFullExecution(await this.json('GET', `/executions/${id}`));
	}

	/** The bytes of a binary, wherever n8n keeps them. */
	async binary({ id, data }: { id?: string; data: string }): Promise<Buffer> {
		if (id === undefined) return Buffer.from(data, 'base64');
		const response = await this.send('GET', `/binary-data?id=${encodeURIComponent(id)}&action=download`);
		if (!response.ok) throw new Error(`binary ${id}: ${response.status}`);
		return Buffer.from(await response.arrayBuffer());
	}
}

function undefinedWhenBusy(error: unknown): undefined {
	if (!(error instanceof Error) || !error.message.includes(': 503 ')) throw error;
}

/** JSON where it is JSON; else the text itself, such as the page of a route that does not exist. */
function parsed(text: string): unknown {
	try {
		return text === '' ? undefined : JSON.parse(text);
	} catch {
		return text;
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
