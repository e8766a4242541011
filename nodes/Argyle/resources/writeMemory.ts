import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type AttemptOf, WriteAttempt } from '../api/writeOnce';
import { isTool } from '../shared/nodeError';
import { DAY_MS, isWithin } from '../utils/clock';

/**
 * How long an unclear request, or what a tool has done, is remembered. A loop of the workflow may wait for hours before
 * it asks again, and an agent may wait for a person's approval.
 */
const KEPT_MS = DAY_MS;

/**
 * How long finished writes are remembered for *Retry On Fail*, which tries again within five seconds, and for a tool
 * that is called without an execution. They are not remembered for a day, because the answers to a long list can take
 * megabytes, and because somebody may want an equal message on the same day.
 */
const BRIEFLY_MS = 10 * 60_000;

/**
 * How many nodes are remembered after their last run. For most of them, one attempt is kept, which takes a kilobyte or
 * two.
 */
const MAX_NODES = 1_000;

/**
 * What one node has written in one execution. n8n runs the node once for each round of a loop. *Retry On Fail* repeats
 * a run with all its items. In a tool, each call is a run, and so is each try of a call. n8n's *Agents*, and an MCP
 * Server Trigger, call a tool without an execution. Then this is what all tools have written that were called so.
 *
 * - An attempt is remembered by its item, because two equal rows are two people. In a tool, it is remembered by its
 *   content, because a model repeats itself.
 * - What was done is kept for ten minutes after a failed try. In a tool, it is kept for a day.
 * - An attempt that a run leaves unclear is kept, too. In a later run, the first item with the same content takes it
 *   over.
 * - Without an execution, all is kept for ten minutes only. Only what adds up is kept when it was done: nobody can tell
 *   whether a change or a deletion is repeated, or wanted again after something else.
 */
class NodeWrites {
	private readonly isOfTool: boolean;

	private readonly hasExecution: boolean;

	/** The attempts of the current run by item, or those of all calls of a tool by content. */
	private readonly attempts = new Map<string, WriteAttempt>();

	/** What earlier runs have left unclear. */
	private readonly unclear: WriteAttempt[] = [];

	private runIndex = 0;

	private runsUnderWay = 0;

	/** When the last run ended, in milliseconds since 1970. */
	private usedAt = 0;

	constructor(isOfTool: boolean, hasExecution: boolean) {
		this.isOfTool = isOfTool;
		this.hasExecution = hasExecution;
	}

	get isUnderWay(): boolean {
		return this.runsUnderWay > 0;
	}

	beginRun(runIndex: number): void {
		this.runsUnderWay++;
		if (this.isOfTool || runIndex === this.runIndex) return;
		this.runIndex = runIndex;
		this.forgetDone();
		this.unclear.push(...this.attempts.values());
		this.attempts.clear();
	}

	attemptOf(itemIndex: number, content: string): WriteAttempt {
		const owner = this.isOfTool ? content : String(itemIndex);
		const known = this.attempts.get(owner);
		if (known !== undefined && !this.isOver(known)) return known;
		const attempt = this.takeOver(content) ?? new WriteAttempt(content);
		this.attempts.set(owner, attempt);
		return attempt;
	}

	/** Whether an attempt says nothing about an equal request any more. */
	private isOver({ done, unclear }: WriteAttempt): boolean {
		const at = done?.at ?? unclear?.sentAt;
		if (this.hasExecution || at === undefined) return false;
		return done?.addsUp === false || !isWithin(BRIEFLY_MS, at, Date.now());
	}

	private takeOver(content: string): WriteAttempt | undefined {
		const index = this.unclear.findIndex((attempt) => attempt.content === content);
		return index === -1 ? undefined : this.unclear.splice(index, 1)[0];
	}

	endRun(isTriedAgain: boolean): void {
		this.runsUnderWay--;
		this.usedAt = Date.now();
		if (!isTriedAgain && !this.isUnderWay) this.forgetDone();
	}

	/** Whether nothing is left that a later run could need. */
	isObsolete(): boolean {
		const idleMs = Date.now() - this.usedAt;
		if (idleMs > BRIEFLY_MS) this.forgetDone();
		const keptMs = this.hasExecution ? KEPT_MS : BRIEFLY_MS;
		return idleMs > keptMs || this.attempts.size + this.unclear.length === 0;
	}

	private forgetDone(): void {
		for (const [owner, attempt] of this.attempts) {
			const isKept = attempt.unclear !== undefined || (this.isOfTool && attempt.done !== undefined);
			if (!isKept || this.isOver(attempt)) this.attempts.delete(owner);
		}
	}
}

/** What is remembered for each node, by execution and node. The least recently used node comes first. */
const nodes = new Map<string, NodeWrites>();

const idleNodes = () => [...nodes].filter(([, { isUnderWay }]) => !isUnderWay);

function forgetObsolete(): void {
	for (const [key, writes] of idleNodes()) if (writes.isObsolete()) nodes.delete(key);
	for (const [key] of idleNodes().slice(0, -MAX_NODES)) nodes.delete(key);
}

/** What one run of the node uses. */
export interface WriteMemory {
	attemptOf(itemIndex: number): AttemptOf;
	/** Returns what comes out of an item. If that was done by an earlier call of the tool, the model is told so. */
	withNote(itemIndex: number, items: INodeExecutionData[]): INodeExecutionData[];
	/** To be called at the end of the run. */
	close(hasFailed: boolean): void;
}

function noteOf(doneAt: number, executionId: string | undefined): string {
	const [done, over] = [doneAt, doneAt + BRIEFLY_MS].map((time) => new Date(time).toISOString());
	const again = executionId === undefined ? `after ${over}` : 'in another execution';
	return `Not done again: an equal call did this at ${done}, and here is its result. If it is wanted once more, call again ${again}.`;
}

export function openWriteMemory(context: IExecuteFunctions): WriteMemory {
	const node = context.getNode();
	const isOfTool = isTool(node);
	const executionId: string | undefined = context.getExecutionId();
	// In n8n's Agents, nothing tells a tool from another one: its node has another ID at each call.
	const isOfAnyTool = isOfTool && executionId === undefined;
	const key = isOfAnyTool ? 'tools without an execution' : JSON.stringify([executionId, node.id]);
	const writes = nodes.get(key) ?? new NodeWrites(isOfTool, executionId !== undefined);
	nodes.set(key, writes);
	writes.beginRun(context.getWorkflowDataProxy(0).$runIndex);
	const repeats = new Map<number, number>();
	return {
		attemptOf: (itemIndex) =>
			Object.assign((content: string) => writes.attemptOf(itemIndex, content), {
				onRepeat: (answeredAt: number) => void repeats.set(itemIndex, answeredAt),
			}),
		withNote(itemIndex, items) {
			const doneAt = isOfTool ? repeats.get(itemIndex) : undefined;
			if (doneAt === undefined) return items;
			return items.map((item) => ({ ...item, json: { ...item.json, note: noteOf(doneAt, executionId) } }));
		},
		close(hasFailed) {
			writes.endRun(node.retryOnFail === true && hasFailed);
			nodes.delete(key);
			nodes.set(key, writes);
			forgetObsolete();
		},
	};
}
