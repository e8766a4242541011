import { randomUUID } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { ArgyleError } from '../../nodes/Argyle/transport/errors';
import { openWriteMemory } from '../../nodes/Argyle/resources/writeMemory';
import { nodeContext, type RunOptions } from '../support/n8nCore/nodeFixture.mts';

/** Milliseconds since 1970. */
let now = 0;

// No mock, which would keep each of two million calls.
const { now: realNow } = Date;
beforeAll(() => (Date.now = () => now));
afterAll(() => (Date.now = realNow));
afterEach(() => jest.restoreAllMocks());

const advance = (ms: number) => (now += ms);

const HOUR_MS = 60 * 60_000;

function open(executionId: string | null, options: RunOptions = {}) {
	const context = nodeContext({}, {}, { executionId, ...options });
	// n8n's Agents give a tool another ID at each call.
	const node = { ...context.getNode(), id: randomUUID() };
	if (executionId === null) jest.spyOn(context, 'getNode').mockReturnValue(node);
	return openWriteMemory(context);
}

/** Runs a node whose only item stays unclear. */
function leaveUnclear(executionId: string | null, options?: RunOptions): void {
	leaveUnclearIn(nodeContext({}, {}, { executionId, ...options }));
}

function leaveUnclearIn(context: IExecuteFunctions): void {
	const memory = openWriteMemory(context);
	memory.attemptOf(0)('content').unclear = { sentAt: Date.now(), error: new ArgyleError('Unclear', '') };
	memory.close(true);
}

/** As `leaveUnclear`, in as many executions. */
function leaveManyUnclear(executions: number): void {
	const context = nodeContext({}, {});
	jest.spyOn(context, 'getExecutionId').mockImplementation(() => randomUUID());
	for (let count = 0; count < executions; count++) leaveUnclearIn(context);
}

/** Runs a node whose only item is done, before n8n tries again because of another one. */
function leaveDone(executionId: string | null, options: RunOptions, addsUp = true): void {
	const memory = open(executionId, options);
	memory.attemptOf(0)('content').done = { answer: {}, at: now, addsUp };
	memory.close(true);
}

/** What a later run of the node knows of the same content, after the node has run in another execution. */
function knownOf(executionId: string | null, options?: RunOptions): 'done' | 'nothing' | 'unclear' {
	open(randomUUID()).close(false);
	const memory = open(executionId, options);
	const { done, unclear } = memory.attemptOf(0)('content');
	memory.close(true);
	return done !== undefined ? 'done' : unclear !== undefined ? 'unclear' : 'nothing';
}

const NEXT_ROUND = { runIndex: 1 };
const RETRIED = { retryOnFail: true };
const TOOL = { isTool: true };

it('what is unclear is remembered for a day after it was last asked for', () => {
	const id = randomUUID();
	leaveUnclear(id);
	for (let runIndex = 1; runIndex < 4; runIndex++) {
		advance(23 * HOUR_MS);
		expect(knownOf(id, { runIndex })).toBe('unclear');
	}
	advance(25 * HOUR_MS);
	expect(knownOf(id, { runIndex: 4 })).toBe('nothing');
});

it('what was done is remembered for ten minutes of tries, and for a day of calls of a tool', () => {
	const [tried, called] = [randomUUID(), randomUUID()];
	leaveDone(tried, RETRIED);
	leaveDone(called, TOOL);
	advance(9 * 60_000);
	expect([knownOf(tried, RETRIED), knownOf(called, TOOL)]).toEqual(['done', 'done']);
	advance(11 * 60_000);
	expect([knownOf(tried, RETRIED), knownOf(called, TOOL)]).toEqual(['nothing', 'done']);
	advance(25 * HOUR_MS);
	expect(knownOf(called, TOOL)).toBe('nothing');
});

it('what was done is not remembered without Retry On Fail, nor in the next round', () => {
	const id = randomUUID();
	leaveDone(id, {});
	expect(knownOf(id)).toBe('nothing');
	leaveDone(id, RETRIED);
	expect(knownOf(id, { ...RETRIED, ...NEXT_ROUND })).toBe('nothing');
});

it('a call without an execution remembers what is unclear for ten minutes', () => {
	leaveUnclear(null, TOOL);
	advance(9 * 60_000);
	expect(knownOf(null, TOOL)).toBe('unclear');
	advance(11 * 60_000);
	expect(knownOf(null, TOOL)).toBe('nothing');
});

it('a call without an execution remembers for ten minutes what an equal one has added, however often it is asked', () => {
	leaveDone(null, TOOL);
	for (let calls = 0; calls < 3; calls++) {
		advance(3 * 60_000);
		expect(knownOf(null, TOOL)).toBe('done');
	}
	advance(2 * 60_000);
	expect(knownOf(null, TOOL)).toBe('nothing');
});

it('a call without an execution changes or deletes again what an equal one did, though another is under way', () => {
	const other = open(null, TOOL);
	leaveDone(null, TOOL, false);
	expect(knownOf(null, TOOL)).toBe('nothing');
	other.close(false);
});

it('nothing is forgotten while a call of the tool is under way, be it for days', () => {
	const id = randomUUID();
	const upload = open(id, TOOL);
	const attempt = upload.attemptOf(0)('content');
	advance(48 * HOUR_MS);
	leaveManyUnclear(1_001);
	const second = open(id, TOOL);
	expect(second.attemptOf(0)('content')).toBe(attempt);
	second.close(false);
	upload.close(true);
});

it('a call without an execution forgets nothing of another one that is under way', () => {
	const call = open(null, TOOL);
	const attempt = call.attemptOf(0)('content');
	open(null, TOOL).close(false);
	const second = open(null, TOOL);
	expect(second.attemptOf(0)('content')).toBe(attempt);
	second.close(false);
	call.close(false);
});

it('of more than a thousand nodes the one that was not used for longest is forgotten', () => {
	const [first, second] = [randomUUID(), randomUUID()];
	leaveUnclear(first);
	leaveUnclear(second);
	expect(knownOf(first, NEXT_ROUND)).toBe('unclear');
	leaveManyUnclear(999);
	expect([knownOf(first, NEXT_ROUND), knownOf(second, NEXT_ROUND)]).toEqual(['unclear', 'nothing']);
});
