import { warnOfStaleSubscription } from '../../../../nodes/Argyle/trigger/subscription/staleSubscription';

const url = 'https://n8n.example.com/webhook';
const current = { url, keyDigest: 'a' };
let ids = 0;

/** What is logged when a trigger is published that was registered so before. */
function warningsOf(changes: object, replaced: string[] = [], times = 1): string[] {
	const warnings: string[] = [];
	const ignore = () => {};
	const logger = { debug: ignore, info: ignore, error: ignore, warn: (text: string) => warnings.push(text) };
	const registered = { id: `s${++ids}`, url, keyDigest: 'a', environment: 'Sandbox', ...changes };
	const subscriptions = replaced.map((id) => ({ id }));
	for (let count = 0; count < times; count++) warnOfStaleSubscription(logger, registered, current, subscriptions);
	return warnings;
}

const elsewhere = { url: 'https://old.example.com/webhook' };

it('a subscription that stays behind is named once, with what has changed and where to delete it', () => {
	expect(warningsOf({ ...elsewhere, id: 'left' }, ['other'], 2)).toEqual([
		expect.stringMatching(
			/^The Argyle subscription left .* n8n's address has changed: it sends to https:\/\/old.*of Sandbox.*Argyle Console/,
		),
	]);
	expect(warningsOf({ keyDigest: 'b' })).toEqual([expect.stringContaining('the API key has changed')]);
	expect(warningsOf({ ...elsewhere, keyDigest: 'b' })).toEqual([expect.stringContaining('the API key has changed')]);
});

it.each<[string, object, string[]]>([
	['with the same address and key', {}, []],
	['at the same address in other words', { url: 'HTTPS://n8n.example.com:443/webhook' }, []],
	['that was removed', { ...elsewhere, id: undefined }, []],
	['that the new one replaces', { ...elsewhere, id: 'replaced' }, ['other', 'replaced']],
])('a subscription %s is not named', (_, registered, replaced) => {
	expect(warningsOf(registered, replaced)).toEqual([]);
});

it('a trigger that was never registered has nothing to be named', () => {
	const warn = jest.fn();
	warnOfStaleSubscription({ debug: warn, info: warn, error: warn, warn }, undefined, current, []);
	expect(warn).not.toHaveBeenCalled();
});
