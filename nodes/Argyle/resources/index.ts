import type { Resource } from './operation';
import { receipt } from './receipt';
import { user } from './user';
import { userForm } from './userForm';
import { webhook } from './webhook';

/** In the order in which the node shows them. */
export const resources: Resource[] = [receipt, user, userForm, webhook];
