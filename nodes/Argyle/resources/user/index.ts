import type { Resource } from '../operation';
import { get } from './get';
import { getAll } from './getAll';

export const user: Resource = { value: 'user', name: 'User', operations: [get, getAll] };
