import { setImmediate as turn } from 'node:timers/promises';
import { askOwnUrl } from '../../../../nodes/Argyle/trigger/delivery/askOwnUrl';
import { clock } from '../../../../nodes/Argyle/utils/clock';

/** A trigger of a workflow calls its own URL. */
async function ask(id: string, httpRequest: () => Promise<void>): Promise<void> {
	const context = { helpers: { httpRequest }, logger: { debug: () => {} }, getNode: () => ({}) };
	const question = { keys: [], claimed: [], state: {} };
	await Reflect.apply(askOwnUrl, undefined, [context, `https://${id}.test`, { apiKeySecret: 's' }, question]);
}

it('the triggers of many workflows call their URLs one after the other, because each look brings a call', async () => {
	let open = 0;
	let mostOpen = 0;
	let count = 0;
	async function httpRequest() {
		mostOpen = Math.max(mostOpen, ++open);
		await turn();
		open--;
		count++;
	}
	await Promise.all(['W1', 'W1', 'W2', 'W3'].map(async (id) => await ask(id, httpRequest)));
	expect([mostOpen, count]).toEqual([1, 4]);
});

it('a call that nobody answers keeps those of other workflows waiting for half a second only', async () => {
	jest.spyOn(Date, 'now').mockReturnValue(0);
	const pauses = new Map<number, () => void>();
	jest.spyOn(clock, 'pause').mockImplementation(async (ms) => {
		await new Promise<void>((resolve) => pauses.set(ms, resolve));
	});
	const begun: string[] = [];
	const unanswered = (id: string) => async () => {
		begun.push(id);
		await new Promise(() => {});
	};
	for (const id of ['W5', 'W6']) void ask(id, unanswered(id));
	await turn();
	expect(begun).toEqual(['W5']);
	pauses.get(500)?.();
	await turn();
	expect(begun).toEqual(['W5', 'W6']);
});
