import type { Resource } from './operation';
import { receipt } from './receipt';
import { user } from './user';
import { userForm } from './userForm';
import { webhook } from './webhook';

/** Everything the Argyle node can do, in the order it is shown. */
export const resources: Resource[] = [receipt, user, userForm, webhook];
