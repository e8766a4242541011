import type { Assumed } from './assumed.mts';

/** The external ID as Argyle keeps it, and compares the filter with it. */
export const keptId = (externalId: unknown, { externalIdIsKept }: Pick<Assumed, 'externalIdIsKept'>): unknown =>
	externalIdIsKept === 'in small letters' && typeof externalId === 'string' ? externalId.toLowerCase() : externalId;
