import { webhookUrlVariable } from '../support/n8n/selectedVersion.mts';
import { until } from '../support/n8n/until.mts';
import { FaultFixture } from './faultFixture.mts';
import { inOwnN8n } from './faultTests.mts';

/** The trigger looks within seconds of n8n's start. */
const START_DEADLINE_MS = 150_000;

/** n8n gives a publication that was interrupted up after two minutes. */
const LEASE_DEADLINE_MS = 240_000;

/** What happens to n8n itself. */
const recovers = inOwnN8n();

recovers('n8n is killed right after the subscription is created', async (fixture) => {
	fixture.argyle.addFault({ kind: 'hangAfterCommit', method: 'POST' });
	const publication = fixture.publish().catch(() => undefined);
	await until('the subscription is created', 120_000, async () => fixture.ownSubscriptions()[0]);
	await fixture.n8nFixture.n8n.kill();
	await publication;
	const { id } = fixture.ownSubscription();
	await fixture.n8nFixture.restart({ kill: true });
	// n8n takes the publication up again after two minutes, and finds the subscription as it is wanted.
	await until('n8n listens', LEASE_DEADLINE_MS, async () => {
		const { status } = await fetch(fixture.url, { method: 'POST' });
		return status === 401 ? true : undefined;
	});
	await fixture.expectHealed({ isHealed: (subscription) => subscription.id === id });
});

recovers('n8n is killed while it listens for a test event', async (fixture) => {
	const listen = async () => {
		await fixture.client.run(fixture.workflow.id, fixture.trigger.name);
		await until('it listens', 120_000, async () => fixture.ownSubscriptions(fixture.testUrl)[0]);
		expect(fixture.ownSubscriptions(fixture.testUrl)).toHaveLength(1);
	};
	await listen();
	await fixture.n8nFixture.restart({ kill: true });
	// The test subscription is left behind.
	expect(fixture.ownSubscriptions(fixture.testUrl)).toHaveLength(1);
	await listen();
	await fixture.client.stopListening(fixture.workflow.id);
	await fixture.expectRemoved();
});

recovers(
	'the subscriptions of three workflows are deleted and changed at Argyle while n8n is stopped',
	async (fixture) => {
		const others = [
			await FaultFixture.create(fixture.n8nFixture, 'Changed events'),
			await FaultFixture.create(fixture.n8nFixture, 'Changed secret'),
		];
		const all = [fixture, ...others];
		for (const each of all) await each.publish();
		const [deleted, otherEvents, otherSecret] = all.map((each) => each.ownSubscription());
		await fixture.n8nFixture.restart({
			whileStopped() {
				fixture.argyle.subscriptions.delete(String(deleted?.id));
				Object.assign(otherEvents ?? {}, { events: ['accounts.added'] });
				Object.assign(otherSecret ?? {}, { secret: '5'.repeat(64) });
			},
		});
		const replaced = [deleted?.id, otherEvents?.id, otherSecret?.id];
		await Promise.all(
			all.map(async (each) =>
				each.expectHealed({ isHealed: ({ id }) => !replaced.includes(id), deadlineMs: START_DEADLINE_MS }),
			),
		);
		for (const other of others) {
			await other.unpublish();
			other.expectNoSideEffects(other.subscriptionSecrets());
		}
	},
);

// The last one, because n8n keeps the new environment.
recovers(
	"n8n's public address is changed between two starts, and the log names the subscription that is left",
	async (fixture) => {
		const { n8nFixture, argyle, url: oldUrl } = fixture;
		await fixture.publish();
		const left = fixture.ownSubscription();
		const newUrl = oldUrl.replace('127.0.0.1', 'localhost');
		await n8nFixture.restart({ env: { [webhookUrlVariable]: new URL(newUrl).origin } });
		await until('the new URL is registered', START_DEADLINE_MS, async () => fixture.ownSubscriptions(newUrl)[0]);
		expect(fixture.ownSubscriptions()).toEqual([left]);
		// What the old subscription still sends is refused, because its secret is derived from the old URL.
		const { form, attempts } = await argyle.submitForm();
		expect(new Map(attempts.map(({ url, status }) => [url, status]))).toEqual(
			new Map([
				[newUrl, 200],
				[oldUrl, 401],
			]),
		);
		await fixture.expectEachRunsOnce([form.id]);
		// As the log says.
		argyle.subscriptions.delete(left.id);
		await fixture.unpublish();
		expect(fixture.ownSubscriptions(newUrl)).toEqual([]);
	},
);
