import type { Assumption } from './assumptions.mts';

/** The first side is what the recorded replies show wherever there are some, else what they make likely. */
const order = (path: string, by: string, source: string) =>
	({
		question: `How is GET ${path} ordered by ${by}?`,
		sides: ['newest first', 'oldest first'],
		source: source,
	}) as const;

/** What is believed of keys, errors, lists and records that are read, and not documented beyond doubt. */
export const READ_ASSUMPTIONS = {
	unknownKey: {
		question: 'What answers an unknown key?',
		sides: ['401 with a detail', '403 with a message'],
		source: 'Introduction of API v1',
	},
	keyOfOtherEnvironment: {
		question: 'What answers a key of the other environment?',
		sides: ['401 that names the environment', '401 as an unknown key'],
		source: 'Introduction of API v1; the overview of v2 says 401',
	},
	unknownRecord: {
		question: 'What answers GET of a record that does not exist?',
		sides: ['404 with a detail', '404 without a detail'],
		source: 'nothing public',
	},
	malformedId: {
		question: 'What answers GET of an ID that is no UUID?',
		sides: ['404', '400'],
		source: 'nothing public',
	},
	unknownParameter: {
		question: 'What does a list do with an unknown query parameter?',
		sides: ['ignores it', 'refuses it'],
		source: 'nothing public',
	},
	filterByUnknownUser: {
		question: 'What answers a list filtered by a user who does not exist?',
		sides: ['an empty list', '404'],
		source: 'nothing public',
	},
	traceId: {
		question: 'Which answers name their trace ID (X-Trace-Id)?',
		sides: ['all', 'those that succeed'],
		source: 'recorded',
	},
	retryAfter: {
		question: 'Does the answer to too many requests have Retry-After?',
		sides: ['yes', 'no'],
		source: 'a third party',
		unchecked: 'it takes more requests than an account may send',
	},
	pageShape: {
		question: 'What wraps the records of a list?',
		sides: ['next, previous and results', 'results alone'],
		source: 'OpenAPI',
	},
	endOfList: {
		question: 'What is `next` on the last page?',
		sides: ['null', 'an empty text'],
		source: 'recorded, both',
	},
	defaultLimit: {
		question: 'How many records has a page when no limit is given?',
		sides: ['10', '20'],
		source: 'OpenAPI',
	},
	limitOver200: {
		question: 'What answers a limit of 201?',
		sides: ['400', 'at most 200 records'],
		source: 'OpenAPI: 200 at most',
	},
	nextLink: {
		question: 'What does the link to the next page hold?',
		sides: ['a cursor alone', 'a cursor and the filters'],
		source: 'recorded',
	},
	hostOfNextLink: {
		question: 'To which host does the link to the next page lead?',
		sides: ['the host that was asked', "Argyle's own, whatever was asked"],
		source: 'OpenAPI: full URLs',
	},
	usersOrder: order('/v2/users', 'created_at', 'invented examples differ'),
	userFormsOrder: order('/v2/user-forms', 'created_at', 'nothing public'),
	accountsOrder: order('/v2/accounts', 'created_at', 'recorded'),
	identitiesOrder: order('/v2/identities', 'created_at', 'recorded'),
	paystubsOrder: order('/v2/paystubs', 'paystub_date', 'recorded'),
	gigsOrder: order('/v2/gigs', 'start_datetime', 'recorded'),
	shiftsOrder: order('/v2/shifts', 'start_datetime', 'nothing public'),
	payrollDocumentsOrder: order('/v2/payroll-documents', 'available_date', 'nothing public'),
	userUploadsOrder: order('/v2/user-uploads', 'created_at', 'nothing public'),
	reportsOrder: order('/v2/reports', 'created_at', 'invented examples differ'),
	verificationsOrder: order('/v2/verifications', 'created_at', 'invented examples differ'),
	externalIdFilter: {
		question: 'Whom does the filter external_id find?',
		sides: ['those with exactly this ID', 'those whose ID begins with it'],
		source: 'OpenAPI',
	},
	itemsByIds: {
		question: 'Does GET /v2/items?id= take all IDs of a page at once?',
		sides: ['yes', 'no'],
		source: 'OpenAPI: several',
	},
	formsOfUser: {
		question: 'Which forms does GET /v2/user-forms?user= list?',
		sides: ["those of the user's accounts", 'all'],
		source: 'OpenAPI',
	},
	earlyPaystubs: {
		question: 'Does from_start_date let paystubs of the days before through?',
		sides: ['yes', 'no'],
		source: 'recorded',
	},
	lastPaystub: {
		question: 'Does to_start_date let a paystub of exactly this time through?',
		sides: ['yes', 'no'],
		source: 'nothing public',
	},
	plainDates: {
		question: 'Are dates without a time taken as filters?',
		sides: ['yes', 'no'],
		source: 'recorded requests; OpenAPI: date-time',
	},
	userOfForm: {
		question: 'Does the record of a user form name its user?',
		sides: ['no', 'yes'],
		source: 'OpenAPI',
	},
	userOfAccount: {
		question: 'Does the record of an account name its user?',
		sides: ['yes', 'no'],
		source: 'OpenAPI',
	},
	idleAccount: {
		question: 'Which accounts have an ongoing_refresh that is idle?',
		sides: ['those that were never connected', 'others too'],
		source: 'OpenAPI; a recorded delivery differs',
	},
	precisionOfForms: {
		question: 'How precise is created_at of a user form?',
		sides: ['milliseconds or finer', 'whole seconds'],
		source: 'OpenAPI: milliseconds; recorded: microseconds',
	},
	creationOfPaystubs: {
		question: 'Does a paystub say when it came to Argyle (created_at)?',
		sides: ['yes', 'no'],
		source: 'OpenAPI',
	},
	employmentById: {
		question: 'Can one employment be read by its ID?',
		sides: ['no', 'yes'],
		source: 'OpenAPI',
	},
	shapeOfEmployments: {
		question: 'What wraps the employments of a user?',
		sides: ['results alone', 'next, previous and results'],
		source: 'recorded; OpenAPI: a page',
	},
	addressOfDocument: {
		question: 'Has file_url of a payroll document a scheme?',
		sides: ['no', 'yes'],
		source: 'OpenAPI, whose example has none',
	},
	wayToFile: {
		question: 'What answers GET of the file_url of a report or upload?',
		sides: ['the file', 'a redirect'],
		source: 'OpenAPI: a redirect; a guide: the file',
	},
	wayToDocument: {
		question: 'What answers GET of the file_url of a payroll document?',
		sides: ['a redirect', 'the file'],
		source: "another client's code: to Google's store",
	},
	reportJson: {
		question: 'What does the JSON file of a report (json_url) hold?',
		sides: ['an object', 'a list'],
		source: 'OpenAPI: it is JSON',
	},
	timeOfConnection: {
		question: 'Does a scan that changes no status move connection.updated_at?',
		sides: ['no', 'yes'],
		source: 'OpenAPI',
	},
	timeOfDepositSwitch: {
		question: 'Does a scan that changes no status move direct_deposit_switch.updated_at?',
		sides: ['no', 'yes'],
		source: 'OpenAPI',
	},
} as const satisfies Record<string, Assumption>;
