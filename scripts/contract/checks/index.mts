import type { Check } from '../check.mts';
import { ACCESS_CHECKS } from './access.mts';
import { DELIVERY_CHECKS } from './deliveries.mts';
import { LAST_SENT_CHECKS } from './lastSent.mts';
import { LIST_CHECKS } from './lists.mts';
import { ORDER_CHECKS } from './orders.mts';
import { RECORD_CHECKS } from './records.mts';
import { WEBHOOK_CHECKS } from './webhooks.mts';
import { WRITE_CHECKS } from './writes.mts';

/** In the order in which they run. */
export const CHECKS: readonly Check[] = [
	...ACCESS_CHECKS,
	...LIST_CHECKS,
	...ORDER_CHECKS,
	...RECORD_CHECKS,
	...WEBHOOK_CHECKS,
	...WRITE_CHECKS,
	...DELIVERY_CHECKS,
	...LAST_SENT_CHECKS,
];
