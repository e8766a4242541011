import { randomUUID } from 'node:crypto';
import { credentialFor } from '../support/fakeArgyle/credential.mts';
import { until } from '../support/n8n/until.mts';
import { DELIVERY_TIMING, type FaultFixture } from './faultFixture.mts';
import { type FaultCase, testWithOwnN8n, testWithSharedN8n } from './faultTests.mts';

async function changeCredential({ client, credential, argyle }: FaultFixture, changes: object = {}): Promise<void> {
	await client.updateCredential(credential, 'argyleApi', { ...credentialFor(argyle), ...changes });
}

interface FirstPublish {
	mistake: string;
	make(fixture: FaultFixture): Promise<void>;
	/** What n8n shows. */
	words: RegExp;
}

const FIRST_PUBLISHES: FirstPublish[] = [
	{
		mistake: 'the credential has a wrong key',
		make: async (fixture) => await changeCredential(fixture, { apiKeySecret: randomUUID() }),
		words: /Argyle does not know this API key/,
	},
	{
		mistake: 'the base URL of the credential ends with /v2',
		make: async (fixture) => await changeCredential(fixture, { baseUrl: `${fixture.argyle.origin}/v2` }),
		words: /without \/v2 or any other path/,
	},
	{
		mistake: 'Argyle answers 403',
		make: async ({ argyle }) => argyle.addFault({ kind: 'status', status: 403, times: Infinity }),
		words: /Argyle refused the request/,
	},
	{
		mistake: 'nothing listens at the base URL of the credential',
		make: async (fixture) => await changeCredential(fixture, { baseUrl: 'http://127.0.0.1:9' }),
		words: /Argyle could not be reached/,
	},
];

/** A mistake that is corrected where it was made, without a change of the workflow. */
function correctedAfterPublish({ mistake, make, words }: FirstPublish): FaultCase {
	return {
		fault: `${mistake} at the first publish, which says so, and is corrected there`,
		async run(fixture) {
			await make(fixture);
			await expect(fixture.publish()).rejects.toThrow(words);
			fixture.argyle.clearFaults();
			await changeCredential(fixture);
			await fixture.publish();
			await fixture.expectHealed();
		},
	};
}

const WRONG_KEY = { apiKeySecret: 'mistyped' };

/** Mistakes in the credential, and its changes while the workflow is published. */
const credentialFaults: FaultCase[] = [
	...FIRST_PUBLISHES.map(correctedAfterPublish),
	{
		fault:
			'a key is mistyped into the credential of a published workflow, whose deliveries are all accepted, and mended',
		async run(fixture) {
			const forms: string[] = [];
			const deliver = async () => {
				const { form, attempts } = await fixture.argyle.submitForm();
				expect(attempts).toMatchObject([{ url: fixture.url, status: 200 }]);
				forms.push(form.id);
			};
			await fixture.publish();
			await changeCredential(fixture, WRONG_KEY);
			await deliver();
			await changeCredential(fixture);
			await fixture.publish();
			await deliver();
			await changeCredential(fixture, WRONG_KEY);
			await deliver();
			await changeCredential(fixture);
			await deliver();
			await fixture.expectEachRunsOnce(forms);
		},
	},
];

/** Those that take a restart of n8n. */
const credentialFaultsWithRestart: FaultCase[] = [
	{
		fault: 'the API key is replaced at Argyle and in the credential while the workflow is published',
		async run(fixture) {
			await fixture.untilLooked(async () => await fixture.publish());
			const { secret: oldSecret } = fixture.ownSubscription();
			fixture.argyle.key = { id: randomUUID(), secret: randomUUID() };
			await changeCredential(fixture);
			await fixture.expectHealed();
			expect(fixture.ownSubscription().secret).toBe(oldSecret);
			await fixture.n8nFixture.restart();
			await fixture.expectHealed({ isHealed: ({ secret }) => secret !== oldSecret });
		},
	},
	{
		fault: 'the credential is moved to another environment while the workflow is published',
		async run(fixture) {
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
		},
	},
];

describe('in a shared n8n', () => testWithSharedN8n(credentialFaults));

describe('in an n8n of its own', () => testWithOwnN8n(credentialFaultsWithRestart));
