import type { IDataObject } from 'n8n-workflow';

import type { ListRequest } from './pagination';
import type { RecordType } from './recordTypes';

/** Employers and platforms as events and invites name them: by ID. */
export const ITEMS: RecordType = { one: 'Item', many: 'Items', path: '/v2/items', filters: [] };

export const EMPLOYER_KINDS = { benefits: 'Benefits', employer: 'Employer', gig: 'Gig', platform: 'Platform' };

export const EMPLOYER_STATUSES = { healthy: 'Healthy', issues: 'Issues', unavailable: 'Unavailable' };

export const MAPPING_STATUSES = { mapped: 'Mapped', unmapped: 'Unmapped', verified: 'Verified' };

/**
 * GET /v2/employer-search (Argyle's OpenAPI file 1.0.111): fuzzy, the best match first. Recorded replies have no links
 * to further pages. `filters` are in Argyle's spelling, several values of one with commas.
 */
export const employersLike = (text: string, filters: IDataObject = {}): ListRequest => ({
	path: '/v2/employer-search',
	query: { q: text, ...filters },
	subject: 'list of employers',
});
