import { isJson, type Json } from '../json.mts';
import type { Assumed } from './assumed.mts';
import type { StoredRecord } from './types.mts';

/** The switch of each list's order, by its path. */
const ORDERS: Record<string, (assumed: Assumed) => string> = {
	accounts: ({ accountsOrder }) => accountsOrder,
	gigs: ({ gigsOrder }) => gigsOrder,
	identities: ({ identitiesOrder }) => identitiesOrder,
	'payroll-documents': ({ payrollDocumentsOrder }) => payrollDocumentsOrder,
	paystubs: ({ paystubsOrder }) => paystubsOrder,
	reports: ({ reportsOrder }) => reportsOrder,
	shifts: ({ shiftsOrder }) => shiftsOrder,
	'user-forms': ({ userFormsOrder }) => userFormsOrder,
	'user-uploads': ({ userUploadsOrder }) => userUploadsOrder,
	users: ({ usersOrder }) => usersOrder,
	verifications: ({ verificationsOrder }) => verificationsOrder,
};

export const isOldestFirst = (resource: string, assumed: Assumed) => ORDERS[resource]?.(assumed) === 'oldest first';

/** Drops everything behind the seconds. */
const inSeconds = (time: unknown) => String(time).replace(/\.\d+Z$/, 'Z');

/** What Argyle returns of a record, as the assumptions have it. */
export function shownRecord(
	resource: string,
	record: StoredRecord,
	origin: string,
	assumed: Assumed,
): Record<string, unknown> {
	const shown = withAbsoluteUrls(record, origin);
	switch (resource) {
		case 'user-forms': {
			const { user, ...form } = shown;
			if (assumed.precisionOfForms === 'whole seconds') form.created_at = inSeconds(form.created_at);
			return assumed.userOfForm === 'yes' ? { ...form, user } : form;
		}
		case 'accounts': {
			if (assumed.idleAccount === 'others too') shown.ongoing_refresh = { status: 'idle' };
			if (assumed.timeOfConnection === 'yes') shown.connection = movedByScan(shown, 'connection');
			if (assumed.timeOfDepositSwitch === 'yes')
				shown.direct_deposit_switch = movedByScan(shown, 'direct_deposit_switch');
			const { user, ...rest } = shown;
			return assumed.userOfAccount === 'yes' ? shown : rest;
		}
		case 'paystubs': {
			const { created_at, ...rest } = shown;
			return assumed.creationOfPaystubs === 'yes' ? shown : rest;
		}
		case 'verifications':
			return isJson(shown.report) ? { ...shown, report: withAbsoluteUrls(shown.report, origin) } : shown;
		case 'payroll-documents':
			return assumed.addressOfDocument === 'no' ? shown : { ...shown, file_url: `https://${String(shown.file_url)}` };
		default:
			return shown;
	}
}

const movedByScan = ({ scanned_at: updated_at, ...account }: Json, part: string) =>
	isJson(account[part]) ? { ...account[part], updated_at } : account[part];

const withAbsoluteUrls = (record: Json, origin: string): Json =>
	Object.fromEntries(
		Object.entries(record).map(([field, value]) => [field, field.endsWith('_url') ? absolute(value, origin) : value]),
	);

/** Files on Argyle's own host are stored by their path. */
const absolute = (value: unknown, origin: string) =>
	typeof value === 'string' && value.startsWith('/') ? origin + value : value;
