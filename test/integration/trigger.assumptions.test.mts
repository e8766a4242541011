import { type AssumptionName, allBut } from '../support/fakeArgyle/assumed.mts';
import { WEBHOOK_ASSUMPTIONS } from '../support/fakeArgyle/webhookAssumptions.mts';
import { formDelivery } from '../support/n8nCore/triggerFixture.mts';
import { useWatchedTrigger } from '../support/n8nCore/watchedTrigger.mts';

const { trigger, startWatch, nextLook, close } = useWatchedTrigger();

/** That of a subscription which has every setting, because what Argyle makes of them is not known either. */
const PARAMETERS = {
	events: ['accounts.added', 'gigs.partially_synced', 'user_forms.submitted'],
	includeUserForm: false,
	options: { includeResource: true, daysSynced: 30 },
};

const names = Object.keys(WEBHOOK_ASSUMPTIONS).filter((name): name is AssumptionName =>
	Object.hasOwn(WEBHOOK_ASSUMPTIONS, name),
);

it.each(names)(
	'a published trigger registers once, takes deliveries and leaves nothing behind, Argyle on the other side of %s',
	async (name) => {
		await trigger.runHook('delete');
		Object.assign(trigger.service.assumed, allBut(name));
		trigger.parameters = name === 'allEvents' ? { ...PARAMETERS, events: ['*'], options: {} } : PARAMETERS;
		trigger.service.requests.length = 0;
		await trigger.activate();
		const registered = trigger.allSubscriptions().map(({ id }) => id);
		await startWatch();
		for (let look = 0; look < 3; look++) await nextLook();
		expect(trigger.allSubscriptions().map(({ id }) => id)).toEqual(registered);
		expect(trigger.requestCount('POST')).toBe(1);
		expect((await trigger.deliver(formDelivery)).status).toBe(200);
		await close();
		await trigger.runHook('delete');
		expect(trigger.allSubscriptions()).toEqual([]);
	},
);

it.each([
	['its events were changed', { events: ['accounts.failed'] }],
	['its secret was removed', { secret: null }],
])(
	'a subscription is replaced when %s, also where Argyle writes it in other words than it was sent',
	async (_, change) => {
		await trigger.runHook('delete');
		Object.assign(trigger.service.assumed, allBut('unsetDaysSynced'));
		trigger.parameters = { ...PARAMETERS, options: {} };
		await trigger.activate();
		const [registered] = trigger.allSubscriptions();
		await startWatch();
		await nextLook();
		expect(trigger.allSubscriptions()).toEqual([registered]);
		Object.assign(registered ?? {}, change);
		await nextLook();
		expect(trigger.allSubscriptions()).toMatchObject([{ events: PARAMETERS.events, secret: expect.any(String) }]);
		expect(trigger.allSubscriptions()[0]?.id).not.toBe(registered?.id);
	},
);
