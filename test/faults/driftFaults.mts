import type { Subscription } from '../support/fakeArgyle/index.mts';
import type { FaultCase } from './faultCase.mts';
import type { FaultFixture } from './faultFixture.mts';

/** The trigger looks every five minutes. */
const LOOK_DEADLINE_MS = 330_000;

const HAND_MADE_SECRET = '5'.repeat(64);

/** Publishes, and changes the subscription right after the trigger has looked. */
async function healAfter(
	fixture: FaultFixture,
	drift: (subscription: Subscription) => void,
	isHealed: (subscription: Subscription) => boolean,
	meanwhile: () => Promise<void> = async () => {},
): Promise<number> {
	await fixture.untilLooked(async () => await fixture.publish());
	drift(fixture.ownSubscription());
	fixture.startTimer();
	await meanwhile();
	return await fixture.expectHealed({ isHealed, deadlineMs: LOOK_DEADLINE_MS });
}

/** What changes at Argyle while n8n runs and nobody publishes. Each case takes the five minutes between two looks. */
export const driftFaults: FaultCase[] = [
	{
		fault: 'the subscription is deleted at Argyle while n8n runs',
		needed: 'nothing',
		run: async (fixture) =>
			await healAfter(
				fixture,
				({ id }) => fixture.argyle.subscriptions.delete(id),
				() => true,
			),
	},
	{
		fault: 'the events of the subscription are changed by hand while n8n runs',
		needed: 'nothing',
		run: async (fixture) =>
			await healAfter(
				fixture,
				(subscription) => (subscription.events = ['accounts.added']),
				({ events }) => events[0] === 'user_forms.submitted',
			),
	},
	{
		fault: 'the secret of the subscription is changed by hand while n8n runs, and deliveries with it still run',
		needed: 'nothing',
		run: async (fixture) =>
			await healAfter(
				fixture,
				(subscription) => (subscription.secret = HAND_MADE_SECRET),
				({ secret }) => secret !== HAND_MADE_SECRET,
				async () => {
					const { form, attempts } = await fixture.argyle.submitForm();
					expect(attempts).toMatchObject([{ status: 200 }]);
					await fixture.expectEachRunsOnce([form.id]);
				},
			),
	},
	{
		fault: 'three deliveries are lost on their way while n8n runs',
		needed: 'nothing',
		async run(fixture) {
			await fixture.untilLooked(async () => await fixture.publish());
			const forms = [1, 2, 3].map(() => fixture.argyle.storeForm().form.id);
			fixture.startTimer();
			await fixture.expectEachRunsOnce(forms, { deadlineMs: LOOK_DEADLINE_MS });
			const seconds = fixture.elapsedSeconds();
			await fixture.expectHealed();
			await fixture.expectEachRunsOnce(forms);
			return seconds;
		},
	},
];
