import { creationTime, present, showsKnownForm } from '../../../../nodes/Argyle/trigger/starts/ensureBookmark';
import type { FormList } from '../../../../nodes/Argyle/trigger/starts/formList';
import { Trigger } from '../../../../nodes/Argyle/trigger/state/trigger';
import { client, formAt, newProcess, now } from '../state/triggerContext.mts';

it('a list is of the account of the bookmark when it shows its form, or one that it showed before', async () => {
	const listOf = (...keys: string[]): FormList =>
		Object.create({ forms: keys.map((key) => formAt(now, key)), readBackTo: async () => true });
	const trigger = Trigger.of(newProcess());
	expect(await showsKnownForm(trigger, listOf('listed'))).toBe(false);
	trigger.beginBookmark(client('a'), { time: now, key: 'm' }, true);
	trigger.starts.list([formAt(now + 1, 'listed')], now, now);
	// The subscription of another account delivers as soon as it is there.
	trigger.starts.begin('delivered', now);
	expect(await showsKnownForm(trigger, listOf('other', 'm'))).toBe(true);
	expect(await showsKnownForm(trigger, listOf('listed', 'other'))).toBe(true);
	expect(await showsKnownForm(trigger, listOf('delivered', 'other'))).toBe(false);
});

it("a new trigger begins at the present of Argyle's clock, and knows the account by its newest form", async () => {
	const listOf = (newest: object | undefined): FormList =>
		Object.create({ newestForm: async () => newest, serviceTime: now, latestServiceTime: now + 2_000 });
	expect(await present(listOf(formAt(now - 5, 'f')))).toEqual({ time: now, key: 'f' });
	expect(await present(listOf(undefined))).toEqual({ time: now });
	// What the list shows is from before, unless it is dated in the future.
	expect(await present(listOf(formAt(now + 2_000, 'f')))).toEqual({ time: now + 2_000, key: 'f' });
	expect(await present(listOf(formAt(now + 2_001, 'f')))).toEqual({ time: now, key: 'f' });
});

it('creationTime is when Argyle created the subscription, or now where it does not say', () => {
	jest.spyOn(Date, 'now').mockReturnValue(now);
	expect(creationTime({ id: 's', created_at: '2026-01-02T03:04:05.678Z' })).toBe(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
	expect(creationTime({ id: 's' })).toBe(now);
	jest.restoreAllMocks();
});
