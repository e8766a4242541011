import type { IExecuteFunctions } from 'n8n-workflow';

import { type AttemptOf, WriteAttempt } from '../api/writeOnce';
import { isTool } from '../shared/nodeError';
import { DAY_MS } from '../utils/clock';

/**
 * How long an unclear request, or what a tool has done, is remembered. A loop of the workflow may wait for hours before
 * it asks again, and an agent may wait for a person's approval.
 */
const KEPT_MS = DAY_MS;

/**
 * How long finished writes are remembered for *Retry On Fail*, which tries again within five seconds. They are not
 * remembered for a day, because the answers to a long list can take megabytes.
 */
const KEPT_FOR_TRIES_MS = 10 * 60_000;

/**
 * How many nodes are remembered after their last run. For most of them, one attempt is kept, which takes a kilobyte or
 * two.
 */
const MAX_NODES = 1_000;

/**
 * What one node has written in one execution. n8n runs the node once for each round of a loop. *Retry On Fail* repeats
 * a run with all its items. In a tool, each call is a run, and so is each try of a call.
 *
 * - An attempt is remembered by its item, because two equal rows are two people. In a tool, it is remembered by its
 *   content, because a model repeats itself.
 * - What was done is kept for ten minutes after a failed try. In a tool, it is kept for a day.
 * - An attempt that a run leaves unclear is kept, too. In a later run, the first item with the same content takes it
 *   over.
 */
class NodeWrites {
	private readonly isOfTool: boolean;

	private readonly keptMs: number;

	/** The attempts of the current run by item, or those of all calls of a tool by content. */
	private readonly attempts = new Map<string, WriteAttempt>();

	/** What earlier runs have left unclear. */
	private readonly unclear: WriteAttempt[] = [];

	private runIndex = 0;

	private runsUnderWay = 0;

	/** When the last run ended, in milliseconds since 1970. */
	private usedAt = 0;

	constructor(isOfTool: boolean, keptMs: number) {
		this.isOfTool = isOfTool;
		this.keptMs = keptMs;
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
		const attempt = this.attempts.get(owner) ?? this.takeOver(content) ?? new WriteAttempt(content);
		this.attempts.set(owner, attempt);
		return attempt;
	}

	private takeOver(content: string): WriteAttempt | undefined {
		const index = this.unclear.findIndex((attempt) => attempt.content === content);
		return index === -1 ? undefined : this.unclear.splice(index, 1)[0];
	}

	endRun(keepsDone: boolean): void {
		this.runsUnderWay--;
		this.usedAt = Date.now();
		if (!keepsDone && !this.isUnderWay) this.forgetDone();
	}

	/** Whether nothing is left that a later run could need. */
	isObsolete(): boolean {
		const idleMs = Date.now() - this.usedAt;
		if (!this.isOfTool && idleMs > KEPT_FOR_TRIES_MS) this.forgetDone();
		return idleMs > this.keptMs || this.attempts.size + this.unclear.length === 0;
	}

	private forgetDone(): void {
		for (const [owner, { unclear }] of this.attempts) if (unclear === undefined) this.attempts.delete(owner);
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
	/** To be called at the end of the run. */
	close(hasFailed: boolean): void;
}

export function openWriteMemory(context: IExecuteFunctions): WriteMemory {
	const node = context.getNode();
	const isOfTool = isTool(node);
	// Behind an MCP Server Trigger there is no execution, so what was done is forgotten when the call ends.
	const executionId: string | undefined = context.getExecutionId();
	const key = JSON.stringify([executionId, node.id]);
	const writes = nodes.get(key) ?? new NodeWrites(isOfTool, executionId === undefined ? KEPT_FOR_TRIES_MS : KEPT_MS);
	nodes.set(key, writes);
	writes.beginRun(context.getWorkflowDataProxy(0).$runIndex);
	return {
		attemptOf: (itemIndex) => (content) => writes.attemptOf(itemIndex, content),
		close(hasFailed) {
			const mayBeAskedAgain = isOfTool ? executionId !== undefined : node.retryOnFail === true && hasFailed;
			writes.endRun(mayBeAskedAgain);
			nodes.delete(key);
			nodes.set(key, writes);
			forgetObsolete();
		},
	};
}
