import type { Assumption } from './assumptions.mts';

/** The first side is what the recorded replies show wherever there are some, else what they make likely. */
const order = (path: string, by: string, source: string) =>
	({
		question: `In which order does GET ${path} list, by ${by}?`,
		sides: ['newest first', 'oldest first'],
		source: source,
	}) as const;

/** What is believed of keys, errors, lists and records that are read, and not documented beyond doubt. */
export const READ_ASSUMPTIONS = {
	unknownKey: {
		question: 'What does a request with an unknown key get?',
		sides: ['401 with a detail', '403 with a message'],
		source: 'Introduction of API v1',
	},
	keyOfOtherEnvironment: {
		question: 'What does a key of the other environment get?',
		sides: ['401 that names the environment', '401 as an unknown key'],
		source: 'Introduction of API v1; the overview of v2 says 401',
	},
	unknownRecord: {
		question: 'What does GET of a record get that does not exist?',
		sides: ['404 with a detail', '404 without a detail'],
		source: 'nothing public; other answers look like Django REST framework',
	},
	malformedId: {
		question: 'What does GET of a record get whose ID is no UUID?',
		sides: ['404', '400'],
		source: 'nothing public',
	},
	unknownParameter: {
		question: 'What does a list do with a query parameter that it does not know?',
		sides: ['ignores it', 'refuses it'],
		source: 'nothing public',
	},
	filterByUnknownUser: {
		question: 'What does a list get that is filtered by a user who does not exist?',
		sides: ['an empty list', '404'],
		source: 'nothing public',
	},
	traceId: {
		question: 'Which answers name their trace ID (X-Trace-Id)?',
		sides: ['all', 'those that succeed'],
		source: 'every recorded reply',
	},
	retryAfter: {
		question: 'Does the answer to too many requests say when to try again (Retry-After)?',
		sides: ['yes', 'no'],
		source: "a third party; nothing of Argyle's own",
		unchecked: 'it takes more requests than an account may send',
	},
	pageShape: {
		question: 'What wraps the records of a list?',
		sides: ['next, previous and results', 'results alone'],
		source: 'OpenAPI file',
	},
	endOfList: {
		question: 'What is `next` on the last page?',
		sides: ['null', 'an empty text'],
		source: 'recorded replies have both',
	},
	defaultLimit: {
		question: 'How many records has a page when no limit is given?',
		sides: ['10', '20'],
		source: 'OpenAPI file',
	},
	limitOver200: {
		question: 'What does a limit of 201 get?',
		sides: ['400', 'at most 200 records'],
		source: 'OpenAPI file: 200 at most; nothing public about more',
	},
	nextLink: {
		question: 'What does the link to the next page hold?',
		sides: ['a cursor alone', 'a cursor and the filters'],
		source: 'recorded replies, whose cursors hold the query',
	},
	hostOfNextLink: {
		question: 'To which host does the link to the next page lead?',
		sides: ['the host that was asked', "Argyle's own, whatever was asked"],
		source: 'OpenAPI file: full URLs',
	},
	usersOrder: order('/v2/users', 'created_at', 'no recorded reply; the invented examples have the oldest first'),
	userFormsOrder: order('/v2/user-forms', 'created_at', 'no recorded reply'),
	accountsOrder: order('/v2/accounts', 'created_at', 'recorded replies'),
	identitiesOrder: order('/v2/identities', 'created_at', 'recorded replies'),
	paystubsOrder: order('/v2/paystubs', 'paystub_date', 'recorded replies'),
	gigsOrder: order('/v2/gigs', 'start_datetime', 'recorded replies'),
	shiftsOrder: order('/v2/shifts', 'start_datetime', 'no recorded reply'),
	payrollDocumentsOrder: order('/v2/payroll-documents', 'available_date', 'no recorded reply'),
	userUploadsOrder: order('/v2/user-uploads', 'created_at', 'no recorded reply'),
	reportsOrder: order('/v2/reports', 'created_at', 'no recorded reply; the invented examples have the oldest first'),
	verificationsOrder: order(
		'/v2/verifications',
		'created_at',
		'no recorded reply; the invented examples have the oldest first',
	),
	externalIdFilter: {
		question: 'Which users does the filter external_id find?',
		sides: ['those with exactly this ID', 'those whose ID begins with it'],
		source: 'OpenAPI file',
	},
	itemsByIds: {
		question: 'Does GET /v2/items?id= take all IDs of a page at once?',
		sides: ['yes', 'no'],
		source: 'OpenAPI file: several; nothing public about 200',
	},
	formsOfUser: {
		question: 'Which forms does GET /v2/user-forms?user= list?',
		sides: ["those of the user's accounts", 'all'],
		source: 'OpenAPI file',
	},
	earlyPaystubs: {
		question: 'Does from_start_date let paystubs of the days before through?',
		sides: ['yes', 'no'],
		source: 'a recorded reply',
	},
	lastPaystub: {
		question: 'Does to_start_date let a paystub of exactly this time through?',
		sides: ['yes', 'no'],
		source: 'nothing public',
	},
	plainDates: {
		question: 'Are dates without a time taken as filters?',
		sides: ['yes', 'no'],
		source: 'recorded requests; the OpenAPI file says date-time',
	},
	userOfForm: {
		question: 'Does the record of a user form name its user?',
		sides: ['no', 'yes'],
		source: 'OpenAPI file',
	},
	userOfAccount: {
		question: 'Does the record of an account name its user?',
		sides: ['yes', 'no'],
		source: 'OpenAPI file',
	},
	idleAccount: {
		question: 'Which accounts have an ongoing_refresh that is idle?',
		sides: ['those that were never connected', 'others too'],
		source: 'OpenAPI file; a recorded delivery has an account that had just connected',
	},
	precisionOfForms: {
		question: 'How precise is created_at of a user form?',
		sides: ['milliseconds or finer', 'whole seconds'],
		source: 'OpenAPI file: milliseconds; recorded replies of others: microseconds',
	},
	creationOfPaystubs: {
		question: 'Does a paystub say when it came to Argyle (created_at)?',
		sides: ['yes', 'no'],
		source: 'OpenAPI file',
	},
	employmentById: {
		question: 'Can one employment be read by its ID?',
		sides: ['no', 'yes'],
		source: 'OpenAPI file',
	},
	shapeOfEmployments: {
		question: 'What wraps the employments of a user?',
		sides: ['results alone', 'next, previous and results'],
		source: 'recorded replies; the OpenAPI file says a page',
	},
	addressOfDocument: {
		question: 'Has file_url of a payroll document a scheme?',
		sides: ['no', 'yes'],
		source: 'OpenAPI file, whose example has none',
	},
	wayToFile: {
		question: 'What does GET of the file_url of a report or upload get? The key goes to the hosts of the API alone.',
		sides: ['the file', 'a redirect'],
		source: 'OpenAPI file: a redirect; guide to the new reports: a direct download',
	},
	wayToDocument: {
		question: 'What does GET of the file_url of a payroll document get?',
		sides: ['a redirect', 'the file'],
		source: "another client's code of 2026: a redirect to a signed address at Google's store",
	},
	reportJson: {
		question: 'What does the JSON file of a report (json_url) hold?',
		sides: ['an object', 'a list'],
		source: 'nothing public; the OpenAPI file says only that it is JSON',
	},
	timeOfConnection: {
		question: 'Does connection.updated_at of an account move with a scan that changes no status?',
		sides: ['no', 'yes'],
		source: 'OpenAPI file: when the status last changed',
	},
	timeOfDepositSwitch: {
		question: 'Does direct_deposit_switch.updated_at of an account move with a scan that changes no status?',
		sides: ['no', 'yes'],
		source: 'OpenAPI file: when the status last changed',
	},
} as const satisfies Record<string, Assumption>;
