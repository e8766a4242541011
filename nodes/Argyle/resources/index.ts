import { getEmployer } from './employer/getEmployer';
import { searchEmployer } from './employer/searchEmployer';
import { getEventRecords } from './event/getEventRecords';
import { getAllInvites } from './invite/getAllInvites';
import { getInvite } from './invite/getInvite';
import { resendInvite } from './invite/resendInvite';
import { revokeInvite } from './invite/revokeInvite';
import { sendInvite } from './invite/sendInvite';
import type { Resource } from './operation';
import { generateReceipt } from './receipt/generateReceipt';
import { recordResources } from './recordResources';
import { createSessionLink } from './session/createSessionLink';
import { sendSessionInvite } from './session/sendSessionInvite';
import { createSubscription } from './webhook/createSubscription';
import { deleteSubscription } from './webhook/deleteSubscription';
import { getAllSubscriptions } from './webhook/getAllSubscriptions';
import { getSubscription } from './webhook/getSubscription';
import { verifyDelivery } from './webhook/verifyDelivery';

/** The resources in the order in which the node shows them. */
export const resources: Resource[] = [
	{ value: 'receipt', name: 'Receipt', operations: [generateReceipt] },
	{ value: 'invite', name: 'Invite', operations: [sendInvite, resendInvite, revokeInvite, getInvite, getAllInvites] },
	{ value: 'session', name: 'Session', operations: [createSessionLink, sendSessionInvite] },
	{ value: 'event', name: 'Event', operations: [getEventRecords] },
	...recordResources,
	{ value: 'employer', name: 'Employer', operations: [searchEmployer, getEmployer] },
	{
		value: 'webhook',
		name: 'Webhook Subscription',
		operations: [createSubscription, deleteSubscription, getSubscription, getAllSubscriptions, verifyDelivery],
	},
];
