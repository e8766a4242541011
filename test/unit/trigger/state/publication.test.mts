import { Publication } from '../../../../nodes/Argyle/trigger/state/publication';
import { clock } from '../../../../nodes/Argyle/utils/clock';
import { advance, useFakeTime } from '../../../support/fakeTime.mts';

const MINUTE = 60_000;

let uptime = 0;
beforeEach(() => {
	uptime = 10 * MINUTE;
	useFakeTime(() => 1_700_000_000_000);
	jest.spyOn(clock, 'uptime').mockImplementation(() => uptime);
});
afterEach(() => jest.restoreAllMocks());

function published(): { publication: Publication; watch: AbortController } {
	const [publication, watch] = [new Publication(), new AbortController()];
	publication.beginWatch(watch);
	publication.openUrl('u');
	return { publication, watch };
}

it('a process that knows nothing of the trigger begins anew, and one that has it up goes on', () => {
	expect([new Publication().goesOn, published().publication.goesOn]).toEqual([false, true]);
});

it.each<[string, (ms: number) => void]>([
	['clock', advance],
	['uptime', (ms) => (uptime += ms)],
])('what was taken down goes on for five minutes, by the %s', (_, pass) => {
	const { publication, watch } = published();
	publication.closeUrl('u');
	expect([publication.url, publication.isWatchedHere, publication.goesOn]).toEqual([undefined, true, true]);
	publication.endWatch(watch);
	expect([publication.isWatchedHere, watch.signal.aborted]).toEqual([false, true]);
	pass(5 * MINUTE - 1);
	expect(publication.goesOn).toBe(true);
	pass(1);
	expect(publication.goesOn).toBe(false);
});

it('a main process that leads no more has the trigger down, so what another one ends meanwhile does not go on', () => {
	const { publication, watch } = published();
	publication.endWatch(watch);
	expect([publication.url, publication.goesOn]).toEqual([undefined, true]);
	advance(5 * MINUTE);
	expect(publication.goesOn).toBe(false);
});

it('a publish whose hooks alone have failed is none that was taken down, and its watch ends with the next one', () => {
	const { publication, watch } = published();
	publication.closeUrl('u');
	advance(60 * MINUTE);
	expect(publication.goesOn).toBe(true);
	const next = new AbortController();
	publication.beginWatch(next);
	expect([watch.signal.aborted, next.signal.aborted]).toEqual([true, false]);
	publication.endWatch(watch);
	expect(publication.isWatchedHere).toBe(true);
});

it.each<[string, number, boolean, boolean]>([
	['init', 60, false, true],
	['leadershipChange', 60, false, true],
	['activate', 1, true, false],
	['update', 5, true, true],
	['update', 6, true, false],
	['update', 1, false, false],
])('that n8n says %s %i minutes after its start (saved: %p) is a start: %p', (mode, minutes, isSaved, isBoot) => {
	uptime = minutes * MINUTE;
	const publication = new Publication();
	expect(publication.isBoot(mode, isSaved)).toBe(isBoot);
	// The watch and the hooks ask for the same call of n8n's.
	publication.openUrl('u');
	expect(publication.isBoot(mode, isSaved)).toBe(isBoot);
});

it('what n8n publishes as a change, after it was taken down, is no start any more', () => {
	uptime = MINUTE;
	const publication = new Publication();
	expect(publication.isBoot('update', true)).toBe(true);
	publication.openUrl('u');
	publication.closeUrl('u');
	expect(publication.isBoot('update', true)).toBe(false);
});
