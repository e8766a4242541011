import { search } from './employer/searchEmployer';
import { getRecords } from './event/getEventRecords';
import type { Resource } from './operation';
import { familyResources } from './readOperations';
import { generate } from './receipt/generateReceipt';
import { create } from './webhook/createSubscription';
import { deleteOperation } from './webhook/deleteSubscription';
import { getAll } from './webhook/getAllSubscriptions';
import { get } from './webhook/getSubscription';
import { verify } from './webhook/verifyDelivery';

/** In the order in which the node shows them. */
export const resources: Resource[] = [
	{ value: 'receipt', name: 'Receipt', operations: [generate] },
	{ value: 'event', name: 'Event', operations: [getRecords] },
	...familyResources,
	{ value: 'employer', name: 'Employer', operations: [search] },
	{ value: 'webhook', name: 'Webhook Subscription', operations: [create, deleteOperation, get, getAll, verify] },
];
