import { randomUUID } from 'node:crypto';
import { credentialFor } from '../support/fakeArgyle/credential.mts';
import { until } from '../support/n8n/until.mts';
import { DELIVERY_TIMING, type FaultFixture } from './faultFixture.mts';
import { inOwnN8n } from './faultTests.mts';

async function changeCredential({ client, credential, argyle }: FaultFixture, changes: object = {}): Promise<void> {
	await client.updateCredential(credential, 'argyleApi', { ...credentialFor(argyle), ...changes });
}

/** Mistakes in the credential, and its changes while the workflow is published. */
const recovers = inOwnN8n();

recovers(
	'the credential has a wrong key at the first publish, which says so, and is corrected there',
	async (fixture) => {
		await changeCredential(fixture, { apiKeySecret: randomUUID() });
		await expect(fixture.publish()).rejects.toThrow(/Argyle does not know this API key/);
		await changeCredential(fixture);
		await fixture.publish();
		await fixture.expectHealed();
	},
);

recovers('the API key is replaced at Argyle and in the credential while the workflow is published', async (fixture) => {
	await fixture.untilLooked(async () => await fixture.publish());
	const { secret: oldSecret } = fixture.ownSubscription();
	fixture.argyle.key = { id: randomUUID(), secret: randomUUID() };
	await changeCredential(fixture);
	await fixture.expectHealed();
	expect(fixture.ownSubscription().secret).toBe(oldSecret);
	await fixture.n8nFixture.restart();
	await fixture.expectHealed({ isHealed: ({ secret }) => secret !== oldSecret });
});

recovers('the credential is moved to another environment while the workflow is published', async (fixture) => {
	await fixture.untilLooked(async () => await fixture.publish());
	const left = fixture.ownSubscription();
	const { argyle: other } = await fixture.n8nFixture.connectArgyle(DELIVERY_TIMING);
	await changeCredential(fixture, credentialFor(other));
	await fixture.n8nFixture.restart();
	await fixture.expectHealed({ argyle: other });
	expect(fixture.ownSubscriptions()).toEqual([left]);
	await fixture.unpublish();
	await until('no subscription is left in the other environment', 120_000, async () =>
		other.subscriptions.size === 0 ? true : undefined,
	);
	expect(fixture.ownSubscriptions()).toEqual([left]);
	fixture.argyle.subscriptions.delete(left.id);
});
