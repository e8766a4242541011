import { getEmployer } from './employer/getEmployer';
import { search } from './employer/searchEmployer';
import { getRecords } from './event/getEventRecords';
import { getAllInvites } from './invite/getAllInvites';
import { getInvite } from './invite/getInvite';
import { resend } from './invite/resendInvite';
import { revoke } from './invite/revokeInvite';
import { send } from './invite/sendInvite';
import type { Resource } from './operation';
import { generate } from './receipt/generateReceipt';
import { recordResources } from './recordResources';
import { createSessionLink } from './session/createSessionLink';
import { sendVerificationInvite } from './session/sendSessionInvite';
import { create } from './webhook/createSubscription';
import { deleteOperation } from './webhook/deleteSubscription';
import { getAll } from './webhook/getAllSubscriptions';
import { get } from './webhook/getSubscription';
import { verify } from './webhook/verifyDelivery';

/** In the order in which the node shows them. */
export const resources: Resource[] = [
	{ value: 'receipt', name: 'Receipt', operations: [generate] },
	{ value: 'invite', name: 'Invite', operations: [send, resend, revoke, getInvite, getAllInvites] },
	{ value: 'session', name: 'Session', operations: [createSessionLink, sendVerificationInvite] },
	{ value: 'event', name: 'Event', operations: [getRecords] },
	...recordResources,
	{ value: 'employer', name: 'Employer', operations: [search, getEmployer] },
	{ value: 'webhook', name: 'Webhook Subscription', operations: [create, deleteOperation, get, getAll, verify] },
];
