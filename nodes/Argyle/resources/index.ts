import { event } from './event';
import type { Resource } from './operation';
import { familyResources } from './readOperations';
import { receipt } from './receipt';
import { webhook } from './webhook';

/** In the order in which the node shows them. */
export const resources: Resource[] = [receipt, event, ...familyResources, webhook];
