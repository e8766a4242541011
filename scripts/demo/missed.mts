import { receives } from '../../test/support/fakeArgyle/deliveries.mts';
import type { FakeArgyle, FormInput, Subscription } from '../../test/support/fakeArgyle/index.mts';
import type { N8nClient } from '../../test/support/n8n/client.mts';

type Publisher = Pick<N8nClient, 'workflows' | 'publish' | 'unpublish'>;

const EVENT = 'user_forms.submitted';

/** For a minute, the trigger waits for the delivery of a form that Argyle's list shows. */
const LATE_MS = 61_000;

/** Since when forms count for a subscription that goes on with one that was there before, by its ID. */
const continued = new Map<string, number>();

const countsSince = ({ id, created_at: at }: Subscription) => continued.get(id) ?? Date.parse(at);

/** Unpublishes all workflows and publishes them again. For the trigger, so short a break is none. */
async function publishAgain({ subscriptions }: FakeArgyle, client: Publisher): Promise<void> {
	const since = new Map([...subscriptions.values()].map((each) => [each.url, countsSince(each)]));
	for (const { id, publishedVersionId } of await client.workflows({ active: true })) {
		await client.unpublish(id);
		await client.publish({ id, versionId: publishedVersionId });
	}
	for (const { id, url } of subscriptions.values()) {
		const earlier = since.get(url);
		if (earlier !== undefined) continued.set(id, earlier);
	}
}

/**
 * Stores a form of a minute ago whose delivery has not reached n8n. So that nobody has to wait up to five minutes for
 * the triggers' next look, it publishes the workflows again, which look within seconds. Returns what is said of it.
 */
export async function letN8nMiss(argyle: FakeArgyle, client: Publisher, form: FormInput): Promise<string> {
	const asking = [...argyle.subscriptions.values()].filter(
		(each) => receives(each, EVENT) && each.url.includes('/webhook/'),
	);
	if (asking.length === 0) return 'No published workflow asks for forms: there is nothing to miss.';
	const submittedAt = Date.now() - LATE_MS;
	const waitMs = Math.min(...asking.map(countsSince)) - submittedAt;
	if (waitMs >= 0)
		return `This makes a form of a minute ago, and the workflow was published later. Press again in ${Math.ceil(waitMs / 1_000) + 1} s.`;
	argyle.storeForm({ ...form, createdAt: new Date(submittedAt).toISOString() });
	for (const { url } of asking) argyle.deliveries.push({ url, event: EVENT, status: null, body: '', at: submittedAt });
	await publishAgain(argyle, client);
	return [
		'A minute ago, a form was submitted, and n8n could not be reached. Within five minutes, the trigger looks at the',
		'list of Argyle. To see it now, the workflow was published again: in some seconds it runs, and its mail comes below.',
	].join(' ');
}
