import type { Resource } from '../operation';
import { get } from './get';
import { getAll } from './getAll';

export const userForm: Resource = { value: 'userForm', name: 'User Form', operations: [get, getAll] };
