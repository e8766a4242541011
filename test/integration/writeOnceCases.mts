import type { IDataObject } from 'n8n-workflow';
import { byId, type NodeFixture } from '../support/n8nCore/nodeFixture.mts';

export const EMAIL = 'alex@example.com';

/** An operation that must not be sent twice, and what it does to the world. */
export interface WriteCase {
	/** @default 'POST' */
	method?: string;
	/** Stores what the operation needs; returns its parameters. */
	prepare: (node: NodeFixture) => Promise<object>;
	/** How often it was done. */
	count: (node: NodeFixture) => number;
	/** Whether Argyle can be asked what became of it. @default true */
	isFound?: boolean;
	/** Whether the answer has something to read. @default true */
	hasAnswer?: boolean;
	/** Whether doing it again makes one more. @default true */
	addsUp?: boolean;
	/** Of the only account: {account}. */
	what: string;
	check: string;
	/** @default a record with an ID */
	output?: IDataObject;
}

const invited = async (node: NodeFixture) => {
	const name = { firstName: 'Bea', lastName: 'Other', sendBy: 'email', email: 'bea@example.com' };
	const [item] = await node.run({ resource: 'invite', operation: 'send', ...name, additionalFields: {} });
	node.service.messages.length = 0;
	// So that what an earlier message left is older than any tolerance.
	const invite = node.service.invites.get(String(item?.json.id));
	if (invite === undefined) throw new Error('there is no invite');
	const before = '2026-01-01T00:00:00.000Z';
	Object.assign(invite, { created_at: before, invited_at: before, updated_at: before, deliveries: [] });
	return byId(invite.id);
};

const start = new Date(Date.now()).toISOString();
const isNew = ({ created_at: createdAt }: Record<string, unknown>) => String(createdAt) >= start;

const ORDER = { reportType: 'voie', additionalFields: { loanNumber: '4711' } };

/** A verification that was ordered some time ago, of a user with a name. */
const verified = async (node: NodeFixture, status: object) => {
	const { user, ...rest } = { user: node.userId(), reportType: 'voie', additionalFields: {} };
	const [item] = await node.run({ resource: 'verification', operation: 'order', userId: byId(user), ...rest });
	const record = node.service.records.of('verifications').get(String(item?.json.id));
	if (record === undefined) throw new Error('there is no verification');
	Object.assign(record, { status, created_at: '2026-01-01T00:00:00.000Z' });
	return byId(record.id);
};

const PENDING = { state: 'PENDING', code: 'pending', errors: [] };

const verifications = (node: NodeFixture) => [...node.service.records.of('verifications').values()];

const ordered = (node: NodeFixture, user: string) =>
	verifications(node).filter((one) => one.user === user && isNew(one)).length;

export function connected(node: NodeFixture) {
	const [account] = node.service.accounts.values();
	if (account === undefined) throw new Error('there is no account');
	return { account, accountId: byId(account.id), userId: byId(String(account.user)) };
}

const countOf = (node: NodeFixture, name: 'reports' | 'user-uploads' | 'paystubs') =>
	node.service.records.of(name).size;

export const INVITE_ALEX = {
	...{ resource: 'invite', operation: 'send', firstName: 'Alex', lastName: 'Sample' },
	...{ sendBy: 'email', email: EMAIL, skipOpenInvites: false, additionalFields: {} },
};

/** One for each way in which a request is sent, answered and looked up. */
export const KINDS: Record<string, WriteCase> = {
	'Report Generate': {
		prepare: async (node) => ({
			...{ resource: 'report', operation: 'generate', reportType: 'voie', userId: connected(node).userId },
			additionalFields: {},
		}),
		count: (node) => countOf(node, 'reports'),
		what: 'the report is being generated',
		check: 'Report: Get Many',
		output: { status: 'generating' },
	},
	'User Upload Upload': {
		prepare: async (node) => ({
			...{ resource: 'userUpload', operation: 'upload', documentType: 'paystubs', binaryPropertyName: 'data' },
			userId: connected(node).userId,
		}),
		count: (node) => countOf(node, 'user-uploads'),
		what: 'paystub.pdf was uploaded',
		check: 'User Upload: Get Many',
		output: { file_name: 'paystub.pdf' },
	},
	'User Create without an external ID': {
		prepare: async () => ({ resource: 'user', operation: 'create', additionalFields: { firstName: 'Alex' } }),
		...{ count: (node) => node.service.users.size, isFound: false },
		...{ what: 'the user was created', check: 'User: Get Many', output: { first_name: 'Alex' } },
	},
	'Verification Update': {
		prepare: async (node) => {
			const verificationId = await verified(node, PENDING);
			return { resource: 'verification', operation: 'update', verificationId, updateFields: { loanNumber: '4712' } };
		},
		...{ method: 'PATCH', addsUp: false },
		count: (node) => verifications(node).filter(({ loan }) => JSON.stringify(loan)?.includes('"number":"4712"')).length,
		what: 'the verification was updated',
		check: 'Verification: Get',
	},
	'Account Disable Refresh': {
		prepare: async (node) => ({
			resource: 'account',
			operation: 'disableRefresh',
			accountId: connected(node).accountId,
		}),
		count: (node) =>
			[...node.service.accounts.values()].filter((account) =>
				JSON.stringify(account.ongoing_refresh).includes('disabled'),
			).length,
		...{ hasAnswer: false, addsUp: false },
		what: 'the refresh of account {account} was disabled',
		check: 'Account: Get',
		output: { success: true },
	},
	'Account Simulate New Data': {
		prepare: async (node) => ({
			resource: 'account',
			operation: 'simulateNewData',
			accountId: connected(node).accountId,
		}),
		...{ count: (node) => countOf(node, 'paystubs'), isFound: false, hasAnswer: false },
		...{ what: 'account {account} got new data', check: 'Paystub: Get Many', output: { success: true } },
	},
};

/** The others, which have a request, words and a look-up of their own. */
export const OTHERS: Record<string, WriteCase> = {
	'Invite Send': {
		prepare: async () => INVITE_ALEX,
		count: (node) => node.service.messagesTo(EMAIL),
		what: 'the invite was sent',
		check: 'Invite: Get Many',
	},
	'Invite Resend': {
		prepare: async (node) => ({ resource: 'invite', operation: 'resend', inviteId: await invited(node) }),
		count: (node) => node.service.messagesTo('bea@example.com'),
		what: 'the invite was sent again',
		check: 'Invite: Get',
	},
	'Invite Revoke': {
		prepare: async (node) => ({ resource: 'invite', operation: 'revoke', inviteId: await invited(node) }),
		count: (node) => [...node.service.invites.values()].filter(({ status }) => status === 'revoked').length,
		what: 'the invite was revoked',
		check: 'Invite: Get',
	},
	'Session Send Invite': {
		prepare: async (node) => {
			await verified(node, PENDING);
			const user = { resource: 'session', operation: 'sendInvite', userId: byId(node.userId()) };
			return { ...user, sendBy: 'email', email: EMAIL, additionalFields: {} };
		},
		count: (node) => node.service.messagesTo(EMAIL),
		what: 'the invite was sent',
		check: 'Invite: Get Many',
	},
	'User Create with an external ID': {
		prepare: async () => ({ resource: 'user', operation: 'create', additionalFields: { externalId: 'crm-7' } }),
		count: (node) => node.service.users.size,
		...{ what: 'the user was created', check: 'User: Get Many', output: { external_id: 'crm-7' } },
	},
	'Verification Order': {
		prepare: async (node) => ({ resource: 'verification', operation: 'order', userId: byId(node.userId()), ...ORDER }),
		count: (node) => ordered(node, node.userId()),
		what: 'the verification was ordered',
		check: 'Verification: Get Many',
	},
	'Verification Refresh': {
		prepare: async (node) => ({
			resource: 'verification',
			operation: 'refresh',
			userId: byId(node.userId(1)),
			...ORDER,
		}),
		count: (node) => ordered(node, node.userId(1)),
		what: 'the verification was refreshed',
		check: 'Verification: Get Many',
	},
	'Verification Cancel': {
		prepare: async (node) => {
			const verificationId = await verified(node, { state: 'PAUSED', code: 'syncing_error', errors: [] });
			return { resource: 'verification', operation: 'cancel', verificationId };
		},
		count: (node) => verifications(node).filter(({ status }) => JSON.stringify(status).includes('CANCELLED')).length,
		what: 'the verification was cancelled',
		check: 'Verification: Get',
	},
	'Webhook Create': {
		prepare: async () => ({
			...{ resource: 'webhook', operation: 'create', name: 'Forms', url: 'https://example.com/argyle' },
			...{ events: ['user_forms.submitted'], additionalFields: {}, options: {} },
		}),
		count: (node) => node.service.subscriptions.size,
		what: 'the webhook subscription was created',
		check: 'Webhook Subscription: Get Many',
	},
};
