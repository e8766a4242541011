import { EventEmitter } from 'node:events';
import type { IDataObject } from 'n8n-workflow';
import { type ResponseToCall, webhookContext } from './contexts.mts';
import type { N8n } from './n8n.mts';
import type { N8nProcess } from './process.mts';

/** What a caller gets: a response, or what becomes of his connection. */
export type CallAnswer = { status: number; body: string } | 'refused' | 'broken';

class Response extends EventEmitter {
	statusCode = 200;

	writableEnded = false;

	destroyed = false;

	headersSent = false;

	text = '';

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	json(body: unknown): this {
		this.text = JSON.stringify(body);
		this.writableEnded = this.headersSent = true;
		return this;
	}

	setHeader(): this {
		return this;
	}
}

/** For so long a caller waits for the answer. */
const CALLER_MS = 10_000;

function leave(response: Response): void {
	if (response.writableEnded) return;
	response.destroyed = true;
	response.emit('close');
}

/** What comes in at the trigger's URL. */
export class Deliveries {
	private readonly n8n: N8n;

	private readonly open = new Set<{ receiver: N8nProcess; breakOff: () => void }>();

	constructor(n8n: N8n) {
		this.n8n = n8n;
	}

	onKill(process: N8nProcess): void {
		for (const call of this.open) if (call.receiver === process) call.breakOff();
	}

	/** A call to the production URL, from wherever. */
	async call(body: string, headers: IDataObject): Promise<CallAnswer> {
		const { random, ways } = this.n8n;
		const atMain = ways.isQueue && ways.mains === 1 ? [] : this.n8n.ready('main');
		const [first, ...others] = [...this.n8n.ready('webhook'), ...atMain];
		if (first === undefined) return ways.proxyStatus === undefined ? 'refused' : { status: ways.proxyStatus, body: '' };
		const receiver = random.pick([first, ...others]);
		return await new Promise<CallAnswer>((resolve) => {
			const call = { receiver, breakOff: () => resolve('broken') };
			this.open.add(call);
			void this.handle(receiver, body, headers).then((answer) => {
				this.open.delete(call);
				resolve(answer);
			});
		});
	}

	/** As n8n's request helper, for a call of the trigger's to its own URL. */
	async callFromInside(from: N8nProcess, { body, headers, timeout }: IDataObject): Promise<unknown> {
		if (!this.n8n.ways.canCallItself) {
			await from.pause(Number(timeout));
			throw Object.assign(new Error('timeout'), { code: 'ECONNABORTED' });
		}
		await from.pauseBetween(1, 20);
		const given = Object.entries(Object(headers)).map(([name, value]) => [name.toLowerCase(), value]);
		const answer = await new Promise<CallAnswer>((resolve) => {
			const tell = (told: CallAnswer) => this.n8n.timeline.after(1, () => resolve(told), from);
			void this.call(String(body), Object.fromEntries(given)).then(tell);
		});
		if (typeof answer === 'string') throw Object.assign(new Error(answer), { code: 'ECONNREFUSED' });
		return { statusCode: answer.status, headers: {}, body: Buffer.from(answer.body) };
	}

	private async handle(receiver: N8nProcess, body: string, headers: IDataObject): Promise<CallAnswer> {
		const { database, ways, surroundings, executions, timeline } = this.n8n;
		await receiver.pauseBetween(1, ways.busyMs);
		const { published } = database;
		if (published === undefined || !database.hasRoute) {
			const message = 'The requested webhook "POST 0a1b/webhook" is not registered.';
			return { status: 404, body: JSON.stringify({ code: 404, message }) };
		}
		const response = new Response();
		const answer = (status: number, text: string): CallAnswer => {
			if (response.destroyed) return { status, body: text };
			Object.assign(response, { statusCode: status, text, writableEnded: true, headersSent: true });
			timeline.after(1, () => response.emit('close'), receiver);
			return { status, body: text };
		};
		const copy = database.copyStaticData(receiver.time);
		const call = { body, headers, response: asResponse(response), mode: 'webhook' };
		const context = webhookContext(surroundings, receiver, published, copy, call);
		try {
			const { workflowData, noWebhookResponse } = await receiver.trigger.webhook.call(context);
			if (noWebhookResponse === true || workflowData === undefined) {
				database.saveStaticData(copy, 'webhook', receiver.time - copy.loadedAt);
				return answer(response.statusCode, response.text);
			}
			await receiver.pauseBetween(1, ways.busyMs);
			const fields = { mode: 'webhook' as const, version: published, items: workflowData[0] ?? [] };
			const execution = database.store({ ...fields, key: undefined, onEnd: () => {} });
			if (ways.limit !== undefined) timeline.after(CALLER_MS, () => leave(response), receiver);
			const begun = execution && executions.begin(execution, receiver);
			if (ways.limit !== undefined) await begun;
			await receiver.pauseBetween(0, ways.busyMs);
			if (this.n8n.isOverloaded) await receiver.pause(CALLER_MS);
			if (ways.savesWebhookStaticData) database.saveStaticData(copy, 'webhook');
			return answer(200, '{"message":"Received"}');
		} catch (error) {
			this.n8n.observer.onFailure(`webhook: ${String(error)}`);
			return answer(500, '{"message":"Error in workflow"}');
		}
	}
}

/** It has all that a node uses of it. */
const asResponse = (response: Response): ResponseToCall => response;
