import type { IDataObject } from 'n8n-workflow';

import { isDataObject } from '../utils/json';

/**
 * Whether the person's own form or document made the account (Argyle's page on accounts). Nobody has logged in to such
 * an account, so it never syncs, and Argyle sends no event for it.
 */
export const isMadeByHand = ({ source, availability }: IDataObject): boolean =>
	source === 'doc_upload_item' || (isDataObject(availability) && isDataObject(availability.user_forms));
