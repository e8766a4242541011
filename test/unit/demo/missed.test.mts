import { letN8nMiss } from '../../../scripts/demo/missed.mts';
import { FakeArgyle } from '../../support/fakeArgyle/index.mts';
import { newSubscription } from '../../support/fakeArgyle/webhooks.mts';

const URL = 'http://127.0.0.1:9/webhook/a/webhook';
const MINUTE_MS = 60_000;

let argyle: FakeArgyle;
const published: unknown[] = [];
beforeEach(() => {
	argyle = new FakeArgyle({});
	published.length = 0;
});

function subscribe(ageMs: number, url = URL, events = ['user_forms.submitted']): void {
	const created_at = new Date(Date.now() - ageMs).toISOString();
	const subscription = { ...newSubscription({ name: 'Demo', url, events }), created_at };
	argyle.subscriptions.set(subscription.id, subscription);
}

/** An n8n that takes the subscription down when it unpublishes, and registers a new one when it publishes. */
const n8n = {
	workflows: async () => [{ id: 'w', name: 'Form to receipt', versionId: 'draft', publishedVersionId: 'published' }],
	unpublish: async () => argyle.subscriptions.clear(),
	publish: async (workflow: unknown) => {
		published.push(workflow);
		subscribe(0);
	},
};

const press = async () => await letN8nMiss(argyle, n8n, { incomeSource: 'Corner Bakery' });

it('a form that n8n misses is a minute old and not delivered, and what is published is published again', async () => {
	subscribe(2 * MINUTE_MS);
	const before = argyle.userForms.size;
	expect(await press()).toMatch(/^A minute ago, a form was submitted/);
	const form = [...argyle.userForms.values()].at(-1);
	expect(argyle.userForms.size).toBe(before + 1);
	expect(form).toMatchObject({ data: { income_source: 'Corner Bakery' } });
	expect(Date.now() - Date.parse(String(form?.created_at))).toBeGreaterThan(MINUTE_MS);
	expect(argyle.deliveries).toMatchObject([{ url: URL, event: 'user_forms.submitted', status: null }]);
	expect(published).toEqual([{ id: 'w', versionId: 'published' }]);
});

it('n8n can miss another form at once, because for the trigger the short break was none', async () => {
	subscribe(2 * MINUTE_MS);
	const before = argyle.userForms.size;
	for (const _ of [1, 2, 3]) expect(await press()).toMatch(/^A minute ago/);
	expect(argyle.userForms.size).toBe(before + 3);
});

it.each([
	['in the first minute, in which no form of a minute ago counts', () => subscribe(20_000), /Press again in 4\d s\.$/],
	['without a subscription', () => {}, /^No published workflow/],
	['with a subscription of a test', () => subscribe(2 * MINUTE_MS, URL.replace('webhook', 'webhook-test')), /^No pub/],
	['with a subscription to other events', () => subscribe(2 * MINUTE_MS, URL, ['accounts.added']), /^No published/],
])('n8n misses nothing %s', async (_, begin, says) => {
	begin();
	const before = argyle.userForms.size;
	expect(await press()).toMatch(says);
	expect([argyle.userForms.size, argyle.deliveries]).toEqual([before, []]);
});
