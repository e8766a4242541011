import { SubscriptionState } from '../../../../nodes/Argyle/trigger/state/subscriptionState';

const now = 1_700_000_000_000;

it('a subscription is known until it is removed, and its removal for five seconds or until it is there again', () => {
	const state = SubscriptionState.to('w');
	expect([state.id, state.wasJustRemoved(now)]).toEqual([undefined, false]);
	state.know('id');
	expect([state.id, state.wasJustRemoved(now)]).toEqual(['id', false]);
	state.remove(now);
	expect([state.id, state.wasJustRemoved(now), state.wasJustRemoved(now + 4_999)]).toEqual([undefined, true, true]);
	expect(state.wasJustRemoved(now + 5_000)).toBe(false);
	// The clock was set back.
	expect(state.wasJustRemoved(now - 1)).toBe(false);
	state.know(undefined);
	expect([state.id, state.wasJustRemoved(now)]).toEqual([undefined, false]);
});
