import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SharedAnswers } from '../../../../nodes/Argyle/trigger/starts/sharedAnswers';

/** Frees all memory that nothing refers to. */
function collectGarbage(): void {
	setFlagsFromString('--expose-gc');
	runInNewContext('gc')();
}

const MINUTE_MS = 60_000;

afterEach(() => jest.restoreAllMocks());

const at = (ms: number) => jest.spyOn(Date, 'now').mockReturnValue(ms);

/** Asks for a person of whom only the answers know. */
async function ask(answers: SharedAnswers<object>, key: string): Promise<WeakRef<object>> {
	return new WeakRef(await answers.get(key, undefined, async () => ({ name: `Person ${key}` })));
}

it('SharedAnswers hold no answer in memory that has expired, though nobody asks for it again', async () => {
	const answers = new SharedAnswers<object>(5 * MINUTE_MS);
	at(0);
	const expired = await ask(answers, 'one');
	at(4 * MINUTE_MS);
	const current = await ask(answers, 'two');
	// Whoever asks for it again makes it the most recently used one, and no younger.
	await ask(answers, 'one');
	at(6 * MINUTE_MS);
	await ask(answers, 'three');
	// What was awaited is held until the next task.
	await new Promise(setImmediate);
	collectGarbage();
	expect([expired.deref(), current.deref()]).toEqual([undefined, { name: 'Person two' }]);
});
