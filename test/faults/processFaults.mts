import { until } from '../support/n8n/until.mts';
import type { FaultCase } from './faultCase.mts';

/** What happens to n8n itself. Each case needs an n8n of its own. */
export const processFaults: FaultCase[] = [
	{
		fault: 'n8n is killed right after the subscription is created',
		needed: 'nothing',
		neededWithLegacyActivation: 'a publish',
		async run(fixture) {
			fixture.argyle.addFault({ kind: 'hangAfterCommit', method: 'POST' });
			const publication = fixture.publish().catch(() => undefined);
			await until('the subscription is created', 30_000, async () => fixture.ownSubscriptions()[0]);
			await fixture.n8nFixture.n8n.kill();
			await publication;
			fixture.startTimer();
			await fixture.n8nFixture.restart({ kill: true });
			if (fixture.n8nFixture.activation === 'legacy') await fixture.publish();
			return await fixture.expectHealed();
		},
	},
	{
		fault: 'n8n is restarted four times, every other time by a kill',
		needed: 'nothing',
		async run(fixture) {
			await fixture.publish();
			const ids = () => fixture.ownSubscriptions().map(({ id }) => id);
			const before = ids();
			for (let restart = 0; restart < 4; restart++) {
				await fixture.n8nFixture.restart({ kill: restart % 2 === 1 });
				expect(ids()).toEqual(before);
			}
			fixture.startTimer();
			return await fixture.expectHealed();
		},
	},
	{
		fault: 'n8n is killed while it listens for a test event',
		needed: 'the next test',
		async run(fixture) {
			const listen = async () => {
				await fixture.client.run(fixture.workflow.id, fixture.trigger.name);
				await until('it listens', 20_000, async () => fixture.ownSubscriptions(fixture.testUrl)[0]);
				expect(fixture.ownSubscriptions(fixture.testUrl)).toHaveLength(1);
			};
			await listen();
			await fixture.n8nFixture.restart({ kill: true });
			// The test subscription is left behind.
			expect(fixture.ownSubscriptions(fixture.testUrl)).toHaveLength(1);
			fixture.startTimer();
			await listen();
			await fixture.client.stopListening(fixture.workflow.id);
			return await fixture.expectRemoved();
		},
	},
	{
		fault: 'WEBHOOK_URL is changed between two starts of n8n',
		needed: 'a publish',
		neededWithLegacyActivation: 'a start of n8n',
		async run(fixture) {
			const { n8nFixture, argyle } = fixture;
			await fixture.publish();
			const oldUrl = fixture.url;
			const newUrl = oldUrl.replace('127.0.0.1', 'localhost');
			await n8nFixture.restart({ env: { WEBHOOK_URL: new URL(newUrl).origin } });
			fixture.startTimer();
			if (n8nFixture.activation === 'publication') {
				await fixture.unpublish();
				await fixture.publish();
			}
			await until('only the new URL is registered', 30_000, async () =>
				fixture.ownSubscriptions(oldUrl).length === 0 && fixture.ownSubscriptions(newUrl).length === 1
					? true
					: undefined,
			);
			const { attempts } = await argyle.submitForm();
			expect(attempts).toMatchObject([{ url: newUrl, status: 200 }]);
			await n8nFixture.restart({ env: { WEBHOOK_URL: new URL(oldUrl).origin } });
			await fixture.unpublish();
			await fixture.publish();
			return await fixture.expectHealed();
		},
	},
];
