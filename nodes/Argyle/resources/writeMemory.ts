import type { IExecuteFunctions } from 'n8n-workflow';
import { createHash } from 'node:crypto';

import type { AttemptOf, WriteAttempt } from '../api/writeOnce';
import { isTool } from '../shared/nodeError';
import { LruMap } from '../utils/lruMap';

/** n8n waits at most five seconds before it repeats a node. */
const KEPT_MS = 10 * 60_000;

interface Run {
	attempts: Map<string, WriteAttempt>;
	/** In milliseconds since 1970. */
	usedAt: number;
}

/** The runs whose node has *Retry On Fail* on: n8n then repeats the node with all its items. */
const runs = new LruMap<Run>(1_000);

/** What one run of the node has done already. */
export interface WriteMemory {
	attemptOf(itemIndex: number): AttemptOf;
	/** To be called when n8n has no reason to repeat the run. */
	forget(): void;
}

function keyOf(context: IExecuteFunctions): string {
	// For each try of a tool, n8n counts up the index of the run.
	const runIndex = isTool(context.getNode()) ? 'tool' : context.getWorkflowDataProxy(0).$runIndex;
	return JSON.stringify([context.getExecutionId(), context.getNode().id, runIndex]);
}

const digestOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('base64');

/** Shared by all tries of the same execution; a person who runs it again starts another one. */
export function writeMemoryOf(context: IExecuteFunctions): WriteMemory {
	const { retryOnFail } = context.getNode();
	if (retryOnFail !== true) return { attemptOf: () => () => ({}), forget: () => {} };
	const key = keyOf(context);
	const now = Date.now();
	runs.deleteOldestWhile(({ usedAt }) => now - usedAt > KEPT_MS);
	const run = runs.get(key) ?? { attempts: new Map<string, WriteAttempt>(), usedAt: now };
	return {
		attemptOf: (itemIndex) => (request) => {
			run.usedAt = Date.now();
			runs.set(key, run);
			// One run of a tool after the other has an item 0, so there the request tells them apart.
			const { method, path, body } = request;
			const item = isTool(context.getNode()) ? digestOf([method, path, body]) : String(itemIndex);
			const attempt = run.attempts.get(item) ?? {};
			run.attempts.set(item, attempt);
			return attempt;
		},
		forget: () => runs.delete(key),
	};
}
