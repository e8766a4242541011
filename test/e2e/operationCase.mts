import { randomUUID } from 'node:crypto';
import type { FakeArgyle, StoredRecord } from '../support/fakeArgyle/index.mts';
import { storeInvite } from '../support/fakeArgyle/invites.mts';
import { eventBody, sign } from '../support/fakeArgyle/signedEvent.mts';
import { newSubscription } from '../support/fakeArgyle/webhooks.mts';
import { n8nNode, type SavedNode } from '../support/n8n/nodes.mts';

/** What Argyle is sent; the path with its query. */
export type Sent = [request: string, body?: unknown];

/** One operation: what is entered, all that Argyle is sent for it, and the first item that comes out. */
export interface OperationCase {
	resource: string;
	operation: string;
	entered: Record<string, unknown>;
	sent: Sent[];
	output: object;
}

/** The IDs of what operations work on. What is erased, withdrawn or closed is a record of its own. */
export interface Known {
	user: string;
	account: string;
	invite: string;
	invites: { resent: string; revoked: string };
	verification: string;
	pausedVerification: string;
	subscription: string;
	erased: { user: string; account: string; report: string; subscription: string };
}

export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

function must(record: StoredRecord | undefined): StoredRecord {
	if (record === undefined) throw new Error('The fake Argyle lacks a record');
	return record;
}

/** Stores what the operations work on. */
export function prepare(argyle: FakeArgyle): Known {
	const [bob, , joe] = argyle.users.values();
	const user = must(joe).id;
	const account = must([...argyle.accounts.values()].find((each) => each.user === user)).id;
	const invited = () =>
		storeInvite(argyle, user, { email: 'joe@example.com', first_name: 'Joe', last_name: 'Burnam' }).id;
	const verificationIn = (state: string, owner: string) => {
		const [verification] = argyle.addRecords('verifications', 1, { user: owner, status: { state, errors: [] } });
		return must(verification).id;
	};
	const subscribed = (name: string) => {
		const subscription = newSubscription({ name, url: 'https://example.com/argyle', events: ['*'] });
		argyle.subscriptions.set(subscription.id, subscription);
		return subscription.id;
	};
	const leaving = randomUUID();
	argyle.users.set(leaving, { ...must(joe), id: leaving, external_id: 'crm-9' });
	const closed = { account: randomUUID(), user };
	argyle.records.addAccount(closed);
	const [report] = argyle.addRecords('reports', 1, { user, account });
	const known = {
		...{ user, account, invite: invited(), invites: { resent: invited(), revoked: invited() } },
		// An invite to a session makes all verifications of its user pending.
		...{ verification: verificationIn('PENDING', user), pausedVerification: verificationIn('PAUSED', must(bob).id) },
		subscription: subscribed('Known'),
		erased: { user: leaving, account: closed.account, report: must(report).id, subscription: subscribed('Old') },
	};
	argyle.messages.length = 0;
	return known;
}

export const DELIVERY_SECRET = 'my own secret';

const delivery = (data: Record<string, unknown>) => eventBody('user_forms.submitted', 'My own', data);

export const signatureOf = (data: Record<string, unknown>) => sign(delivery(data), DELIVERY_SECRET);

/** The IDs in the delivery that is verified. */
export const deliveredIn = ({ account, user }: Known) => ({ account, user, user_form: account });

export const FILE = { name: 'w-2.pdf', size: 11 };

/** A file as n8n keeps it, by expression, so that it can be given to a tool as well. */
export const fileOf = (name: string) => `={{ $('Input').first().binary.${name} }}`;

/** A node whose item is the event of a new account, with a file to upload and the bytes of a delivery. */
export function inputNode(known: Known): SavedNode {
	const { account, user } = known;
	const json = { event: 'accounts.added', name: 'My own', data: { account, user } };
	const file = (text: string, fileName: string) => {
		return { data: Buffer.from(text).toString('base64'), mimeType: 'text/plain', fileName };
	};
	const binary = {
		document: file('a test file', FILE.name),
		delivery: file(delivery(deliveredIn(known)), 'delivery.json'),
	};
	return n8nNode('Input', 'code', { jsCode: `return [${JSON.stringify({ json, binary })}];` }, 2);
}
