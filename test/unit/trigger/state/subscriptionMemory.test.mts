import {
	rememberedSubscription,
	rememberRemoval,
	rememberSubscription,
	wasJustRemoved,
} from '../../../../nodes/Argyle/trigger/state/subscriptionMemory';

const now = 1_700_000_000_000;

it('a subscription is remembered by URL until it is removed, and its removal for five seconds', () => {
	expect([rememberedSubscription('u'), wasJustRemoved('u', now)]).toEqual([undefined, false]);
	rememberSubscription('u', 'id');
	expect([rememberedSubscription('u'), wasJustRemoved('u', now)]).toEqual(['id', false]);
	rememberRemoval('u', now);
	expect([rememberedSubscription('u'), wasJustRemoved('u', now + 4_999)]).toEqual([undefined, true]);
	expect(wasJustRemoved('u', now + 5_000)).toBe(false);
	// The clock was set back.
	expect(wasJustRemoved('u', now - 1)).toBe(false);
	rememberSubscription('u', undefined);
	expect([rememberedSubscription('u'), wasJustRemoved('u', now)]).toEqual([undefined, false]);
});
