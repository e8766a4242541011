/**
 * The names of the types of reports, by Argyle's values. Some types are ordered as verifications, some are generated,
 * and some are both. All fields of the node show a type under the same name.
 */
export const REPORT_TYPE_NAMES = {
	'doc-voi-mortgage': 'Income From Documents (Doc VOI)',
	voa: 'Assets (VOA)',
	voai: 'Assets and Income (VOAI)',
	voe: 'Employment (VOE)',
	'voe-mortgage': 'Employment for Mortgages (VOE)',
	'voe-transactions': 'Employment From Bank Accounts (VOE)',
	voi: 'Income From Bank Accounts (VOI)',
	voie: 'Income and Employment (VOIE)',
	'voie-government': 'Income and Employment for Government (VOIE)',
	'voie-mortgage': 'Income and Employment for Mortgages (VOIE)',
};

export type ReportTypeName = keyof typeof REPORT_TYPE_NAMES;

/** Returns the name of a type, or what is there if it is no known type. */
export const nameOfReportType = (type: unknown): unknown =>
	Object.entries(REPORT_TYPE_NAMES).find(([value]) => value === type)?.[1] ?? type;

export const reportTypeNames = (types: ReportTypeName[]): Record<string, string> =>
	Object.fromEntries(types.map((type) => [type, REPORT_TYPE_NAMES[type]]));
