import type { Resource } from '../operation';
import { create } from './create';
import { deleteOperation } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { verify } from './verify';

export const webhook: Resource = {
	value: 'webhook',
	name: 'Webhook Subscription',
	operations: [create, deleteOperation, get, getAll, verify],
};
