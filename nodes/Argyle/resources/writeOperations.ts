import type { INodeProperties } from 'n8n-workflow';

import { FAMILIES } from '../api/families';
import { disableRefresh } from './account/disableRefresh';
import { simulateNewData } from './account/simulateNewData';
import type { Operation } from './operation';
import { deletionOf } from './records/deleteRecord';
import { generate } from './report/generateReport';
import { create } from './user/createUser';
import { update as updateUser } from './user/updateUser';
import { upload } from './userUpload/uploadDocument';
import { cancel } from './verification/cancelVerification';
import { order } from './verification/orderVerification';
import { refresh } from './verification/refreshVerification';
import { update as updateVerification } from './verification/updateVerification';

const { account, report, user } = FAMILIES;

const WRITES: Record<string, ((idField: INodeProperties) => Operation[]) | undefined> = {
	user: (idField) => [
		create,
		updateUser,
		deletionOf(user, idField, {
			description:
				'Erase a user with all accounts, records and files, for good. Generate the receipt before: it may not be possible afterwards.',
			erases: 'this person',
		}),
	],
	account: (idField) => [
		disableRefresh,
		deletionOf(account, idField, {
			description: 'Erase an account with all its records and files, for good',
			erases: 'this account',
		}),
		simulateNewData,
	],
	userUpload: () => [upload],
	verification: () => [order, refresh, updateVerification, cancel],
	report: (idField) => [
		generate,
		deletionOf(report, idField, {
			description: 'Delete a report with its files, for good. One of the same day frees a place for another.',
		}),
	],
};

/** What can be done to the records of a family beside reading them; `idField` names one. */
export const writesOf = (resource: string, idField: INodeProperties): Operation[] => WRITES[resource]?.(idField) ?? [];
