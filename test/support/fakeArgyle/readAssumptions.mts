import type { Assumption } from './assumption.mts';

/** The first side is what the recorded replies show wherever there are some, else what they make likely. */
const order = (path: string, by: string, source: string) =>
	({
		question: `In which order does GET ${path} list, by ${by}?`,
		sides: ['newest first', 'oldest first'],
		source: `argyle-records.md 2: ${source}`,
	}) as const;

/** What is believed of keys, errors, lists and records that are read, and not documented beyond doubt. */
export const READ_ASSUMPTIONS = {
	unknownKey: {
		question: 'What does a request with an unknown key get?',
		sides: ['401 with a detail', '403 with a message'],
		source: 'argyle-api.md 8: documented for v1',
	},
	keyOfOtherEnvironment: {
		question: 'What does a key of the other environment get?',
		sides: ['401 that names the environment', '401 as an unknown key'],
		source: 'argyle-api.md 8: documented for v1, the status for v2',
	},
	unknownRecord: {
		question: 'What does GET of a record get that does not exist?',
		sides: ['404 with a detail', '404 without a detail'],
		source: 'argyle-api.md 8: inferred',
	},
	malformedId: {
		question: 'What does GET of a record get whose ID is no UUID?',
		sides: ['404', '400'],
		source: 'argyle-api.md 8: not found',
	},
	unknownParameter: {
		question: 'What does a list do with a query parameter that it does not know?',
		sides: ['ignores it', 'refuses it'],
		source: 'argyle-records.md 1: not documented',
	},
	filterByUnknownUser: {
		question: 'What does a list get that is filtered by a user who does not exist?',
		sides: ['an empty list', '404'],
		source: 'argyle-records.md 1: not documented',
	},
	traceId: {
		question: 'Which answers name their trace ID (X-Trace-Id)?',
		sides: ['all', 'those that succeed'],
		source: 'argyle-api.md 8: on every recorded answer',
	},
	pageShape: {
		question: 'What wraps the records of a list?',
		sides: ['next, previous and results', 'results alone'],
		source: 'argyle-api.md 9: OpenAPI file',
	},
	endOfList: {
		question: 'What is `next` on the last page?',
		sides: ['null', 'an empty text'],
		source: 'argyle-records.md 1, note g: both recorded',
	},
	defaultLimit: {
		question: 'How many records has a page when no limit is given?',
		sides: ['10', '20'],
		source: 'argyle-api.md 9: OpenAPI file',
	},
	limitOver200: {
		question: 'What does a limit of 201 get?',
		sides: ['400', '200 records'],
		source: 'argyle-api.md 9: 200 at most, the answer not found',
	},
	nextLink: {
		question: 'What does the link to the next page hold?',
		sides: ['a cursor alone', 'a cursor and the filters'],
		source: 'argyle-api.md 9: decoded cursors',
	},
	hostOfNextLink: {
		question: 'To which host does the link to the next page lead?',
		sides: ['the host that was asked', "Argyle's own, whatever was asked"],
		source: 'argyle-api.md 9: full URLs',
	},
	usersOrder: order('/v2/users', 'created_at', 'not recorded; invented examples say oldest first'),
	userFormsOrder: order('/v2/user-forms', 'created_at', 'not recorded'),
	accountsOrder: order('/v2/accounts', 'created_at', 'recorded'),
	identitiesOrder: order('/v2/identities', 'created_at', 'recorded'),
	paystubsOrder: order('/v2/paystubs', 'paystub_date', 'recorded'),
	gigsOrder: order('/v2/gigs', 'start_datetime', 'recorded'),
	shiftsOrder: order('/v2/shifts', 'start_datetime', 'not recorded'),
	payrollDocumentsOrder: order('/v2/payroll-documents', 'available_date', 'not recorded'),
	userUploadsOrder: order('/v2/user-uploads', 'created_at', 'not recorded'),
	reportsOrder: order('/v2/reports', 'created_at', 'not recorded; invented examples say oldest first'),
	verificationsOrder: order('/v2/verifications', 'created_at', 'not recorded; invented examples say oldest first'),
	externalIdFilter: {
		question: 'Which users does the filter external_id find?',
		sides: ['those with exactly this ID', 'those whose ID begins with it'],
		source: 'argyle-api.md 7: OpenAPI file',
	},
	formsOfUser: {
		question: 'Which forms does GET /v2/user-forms?user= list?',
		sides: ["those of the user's accounts", 'all'],
		source: 'argyle-api.md 5: OpenAPI file',
	},
	earlyPaystubs: {
		question: 'Does from_start_date let paystubs of the days before through?',
		sides: ['yes', 'no'],
		source: 'argyle-records.md 1, note b: recorded',
	},
	lastPaystub: {
		question: 'Does to_start_date let a paystub of exactly this time through?',
		sides: ['yes', 'no'],
		source: 'argyle-records.md 1: not documented',
	},
	plainDates: {
		question: 'Are dates without a time taken as filters?',
		sides: ['yes', 'no'],
		source: 'argyle-records.md 1, note b: recorded; the OpenAPI file says date-time',
	},
	userOfForm: {
		question: 'Does the record of a user form name its user?',
		sides: ['no', 'yes'],
		source: 'argyle-api.md 5: OpenAPI file',
	},
	userOfAccount: {
		question: 'Does the record of an account name its user?',
		sides: ['yes', 'no'],
		source: 'argyle-api.md 7: OpenAPI file',
	},
	precisionOfForms: {
		question: 'How precise is created_at of a user form?',
		sides: ['milliseconds or finer', 'whole seconds'],
		source: 'argyle-writes.md 1: milliseconds in the OpenAPI file, microseconds in recorded replies',
	},
	creationOfPaystubs: {
		question: 'Does a paystub say when it came to Argyle (created_at)?',
		sides: ['yes', 'no'],
		source: 'argyle-records.md 1, note c: inferred',
	},
	employmentById: {
		question: 'Can one employment be read by its ID?',
		sides: ['no', 'yes'],
		source: 'argyle-records.md 3.1: OpenAPI file',
	},
	shapeOfEmployments: {
		question: 'What wraps the employments of a user?',
		sides: ['results alone', 'next, previous and results'],
		source: 'argyle-records.md 1, note g: recorded; the OpenAPI file says a page',
	},
	addressOfDocument: {
		question: 'Has file_url of a payroll document a scheme?',
		sides: ['no', 'yes'],
		source: "argyle-records.md 3.2: the OpenAPI file's example has none",
	},
	wayToFile: {
		question: 'What does GET of a file_url get?',
		sides: ['the file', 'a redirect'],
		source: 'argyle-records.md 3.2: the OpenAPI file says a redirect, the newer guide a direct download',
	},
} as const satisfies Record<string, Assumption>;
