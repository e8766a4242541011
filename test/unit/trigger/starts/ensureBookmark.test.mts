import { creationTime, positionNow, showKnownEvent } from '../../../../nodes/Argyle/trigger/starts/ensureBookmark';
import type { EventList } from '../../../../nodes/Argyle/trigger/starts/eventList';
import { RECORD_CLOCK_MS } from '../../../../nodes/Argyle/trigger/state/timing';
import { Trigger } from '../../../../nodes/Argyle/trigger/state/trigger';
import { ArgyleError } from '../../../../nodes/Argyle/transport/errors';
import { client, formAt, newProcess, now } from '../state/triggerContext.mts';

it('lists are of the account of the bookmark when one shows its event, or one that it showed before', async () => {
	const listOf = (...keys: string[]): EventList =>
		Object.create({ events: keys.map((key) => formAt(now, key)), readBackTo: async () => true });
	const trigger = Trigger.of(newProcess());
	expect(await showKnownEvent(trigger, [listOf('listed')])).toBe(false);
	trigger.beginBookmark(client('a'), { time: now, key: 'm' }, true);
	trigger.starts.list([formAt(now + 1, 'listed')], now, now);
	// The subscription of another account delivers as soon as it is there.
	trigger.starts.begin('delivered', now);
	expect(await showKnownEvent(trigger, [listOf('other'), listOf('other', 'm')])).toBe(true);
	expect(await showKnownEvent(trigger, [listOf('listed', 'other')])).toBe(true);
	expect(await showKnownEvent(trigger, [listOf('delivered', 'other')])).toBe(false);
	trigger.shownKey = 'before';
	expect(await showKnownEvent(trigger, [listOf('other', 'before')])).toBe(true);
	trigger.beginBookmark(client('b'), { time: now }, true);
	expect(await showKnownEvent(trigger, [listOf('other', 'before')])).toBe(false);
});

it.each([
	['may not be read with the key', 403, true],
	['the workspace lacks', 404, true],
	['can not be read at the moment', 503, false],
	['can not be read with a wrong key', 401, false],
])('a list that %s (%i) leaves it to the others to show the account: %p', async (_, statusCode, isLeft) => {
	const unreadable = async () => await Promise.reject(new ArgyleError('Refused', '', { statusCode }));
	const refused: EventList = Object.create({ events: [], readBackTo: unreadable });
	const other: EventList = Object.create({ events: [formAt(now, 'm')], readBackTo: async () => true });
	const trigger = Trigger.of(newProcess());
	trigger.beginBookmark(client('a'), { time: now, key: 'm' }, true);
	const isShown = await showKnownEvent(trigger, [refused, other]).catch(() => false);
	expect(isShown).toBe(isLeft);
});

it("a new trigger begins at the present of Argyle's clock, and knows the account by its newest event", async () => {
	const listOf = (newest: object | undefined): EventList =>
		Object.create({ newestEvent: async () => newest, serviceTime: now, latestServiceTime: now + 2_000 });
	const begin = now - RECORD_CLOCK_MS;
	expect(await positionNow([listOf(formAt(now - 5, 'f'))])).toEqual({ time: now - 5, key: 'f' });
	expect(await positionNow([listOf(formAt(begin - 5, 'f'))])).toEqual({ time: begin, key: 'f' });
	expect(await positionNow([listOf(undefined)])).toEqual({ time: begin });
	const [old, newer] = [formAt(now - 9, 'e'), formAt(now - 5, 'f')];
	expect(await positionNow([newer, old, undefined].map(listOf))).toEqual({ time: now - 5, key: 'f' });
	// What the list shows is from before, unless it is dated in the future.
	expect(await positionNow([listOf(formAt(now + 2_000, 'f'))])).toEqual({ time: now + 2_000, key: 'f' });
	expect(await positionNow([listOf(formAt(now + 2_001, 'f'))])).toEqual({ time: begin, key: 'f' });
});

it('creationTime is when Argyle created the subscription, or now where it does not say', () => {
	jest.spyOn(Date, 'now').mockReturnValue(now);
	expect(creationTime({ id: 's', created_at: '2026-01-02T03:04:05.678Z' })).toBe(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
	expect(creationTime({ id: 's' })).toBe(now);
	jest.restoreAllMocks();
});
