import type { Assumption } from './assumptions.mts';

export const WEBHOOK_ASSUMPTIONS = {
	webhooksOrder: {
		question: 'In which order does GET /v2/webhooks list, by created_at?',
		sides: ['newest first', 'oldest first'],
		source: 'a recorded reply',
	},
	orderingOfWebhooks: {
		question: 'In which order does GET /v2/webhooks?ordering=created_at list?',
		sides: ['oldest first', 'newest first'],
		source: 'OpenAPI file, which names no direction',
	},
	statusOfCreatedWebhook: {
		question: 'Which status has the answer to POST /v2/webhooks?',
		sides: ['201', '200'],
		source: 'OpenAPI file: 200; the creation of a user was recorded with 201',
	},
	replyToCreatedWebhook: {
		question: 'What is the answer to POST /v2/webhooks?',
		sides: ['the subscription', 'a message of an event'],
		source: 'OpenAPI file and a recorded reply; the pages of single events differ',
	},
	unsetConfig: {
		question: 'What is `config` of a subscription that was created without one?',
		sides: ['{}', 'null'],
		source: 'a recorded reply; the example of v1 has null',
	},
	unsetDaysSynced: {
		question: 'What is `config` of a subscription to gigs.partially_synced that names no number of days?',
		sides: ['nothing', 'a number of days'],
		source: 'page of the event: the Console requires a number of days',
	},
	secretOfWebhook: {
		question: 'Does the list of subscriptions show their secrets?',
		sides: ['yes', 'no'],
		source: 'OpenAPI file and a recorded reply',
	},
	twoWebhooksToOneUrl: {
		question: 'May two subscriptions have the same name and URL?',
		sides: ['yes', 'no'],
		source: 'nothing public; another client relies on it',
	},
	urlOfWebhook: {
		question: 'How is a URL with a blank stored?',
		sides: ['as it was sent', 'encoded'],
		source: 'OpenAPI file: Argyle encodes it; when is not said',
	},
	allEvents: {
		question: 'How does a subscription to all events name them?',
		sides: ['*', 'one by one'],
		source: 'a recorded reply; the OpenAPI file omits it',
	},
	eventNames: {
		question: 'Which of the 51 event names does POST /v2/webhooks take?',
		sides: ['all', 'not all'],
		source: 'OpenAPI file',
	},
	unknownEvent: {
		question: 'What does a subscription to an event get that does not exist?',
		sides: ['400', 'the subscription'],
		source: 'nothing public',
	},
	itemEventsWithoutItems: {
		question: 'What does a subscription to items.updated get that names no Items?',
		sides: ['400', 'the subscription'],
		source: 'page of the event: required',
	},
	webhookIsListed: {
		question: 'Is a new subscription in the list at once?',
		sides: ['yes', 'no'],
		source: 'nothing public',
	},
	creationTimeOfWebhook: {
		question: 'Does a subscription say when it was created?',
		sides: ['created_at', 'no'],
		source: 'OpenAPI file; a recorded reply',
	},
	clockOfCreatedWebhook: {
		question: 'Which time does created_at of a subscription name, by the clock that dates the records?',
		sides: ['that of the creation', 'a minute later'],
		source: 'a recorded reply; updated_at is a minute later in every record',
	},
	createdAtStays: {
		question: 'Does created_at of a subscription stay as it is?',
		sides: ['yes', 'no'],
		source: 'a recorded reply',
	},
	createdSince: {
		question: 'What does from_created_at leave of the subscriptions?',
		sides: ['the later ones', 'all'],
		source: 'OpenAPI file',
	},
	statusOfDeletedWebhook: {
		question: 'What does DELETE of a subscription get?',
		sides: ['204 without a body', '200 with the record'],
		source: 'OpenAPI file',
	},
	webhookDeletedTwice: {
		question: 'What does DELETE of a subscription get that is gone?',
		sides: ['404', '204'],
		source: 'nothing public',
	},
	receiptInSandbox: {
		question: 'What does POST /v2/receipts get in Sandbox?',
		sides: ['an error with a detail', 'a PDF'],
		source: 'sandbox page: no billing there; nothing public about the answer',
	},
} as const satisfies Record<string, Assumption>;

/** What is believed of the last_sent_at of a subscription, with which the trigger finds out what it has missed. */
export const LAST_SENT_ASSUMPTIONS = {
	lastSentAtMoves: {
		question: 'Does last_sent_at move when something is sent?',
		sides: ['yes', 'no'],
		source: 'OpenAPI file; a recorded reply',
	},
	lastSentAtOfFailures: {
		question: 'Does last_sent_at move with a delivery that fails?',
		sides: ['yes', 'no'],
		source: 'a recorded reply, whose addresses nobody had most likely',
	},
	timeOfLastSent: {
		question: 'Which time does last_sent_at name?',
		sides: ['that of the sending', 'a minute later'],
		source: 'a recorded reply: updated_at is a minute later in every record',
	},
	lastSentAtIsShown: {
		question: 'How soon does a subscription show a new last_sent_at?',
		sides: ['within two minutes', 'later'],
		source: 'a recorded reply: updated_at is a minute later in every record',
	},
	precisionOfLastSent: {
		question: 'How precise is last_sent_at?',
		sides: ['milliseconds or finer', 'whole seconds'],
		source: 'a recorded reply',
	},
	lastSentAtStays: {
		question: 'Does last_sent_at stay as it is while nothing is sent?',
		sides: ['yes', 'no'],
		source: 'OpenAPI file',
	},
} as const satisfies Record<string, Assumption>;

export const DELIVERY_ASSUMPTIONS = {
	signature: {
		question: 'What signs a delivery?',
		sides: ['HMAC-SHA512 of its bytes, in lower-case hex', 'something else'],
		source: 'legacy/api-reference/webhooks-overview: of the body as received; every recorded delivery',
	},
	signatureWithoutSecret: {
		question: 'Has a delivery of a subscription without a secret a signature?',
		sides: ['no', 'yes'],
		source: 'nothing public',
	},
	indentation: {
		question: 'How is the JSON of a delivery written?',
		sides: ['indented by two blanks', 'in one line'],
		source: 'every recorded delivery',
	},
	deliveryHeaders: {
		question: 'Does a header tell deliveries apart (an ID, a time, an attempt)?',
		sides: ['no', 'yes'],
		source: 'every recorded delivery',
	},
	retryAfter503: {
		question: 'What follows a delivery that was answered with 503?',
		sides: ['the same bytes once more, after 30 s', 'nothing'],
		source: "two third parties; nothing of Argyle's own",
	},
	retryAfter401: {
		question: 'What follows a delivery that was answered with 401?',
		sides: ['nothing', 'the same bytes once more'],
		source: 'nothing public',
	},
	redirectOfDelivery: {
		question: 'Does a delivery follow a redirect?',
		sides: ['no', 'yes'],
		source: 'nothing public',
	},
	addedByUpload: {
		question: 'Is accounts.added sent of an account that an uploaded document makes?',
		sides: ['no', 'yes'],
		source: 'page of the data structure: such accounts are made; nothing public about the event',
	},
	addedByForm: {
		question: 'Is accounts.added sent of an account that a submitted form makes?',
		sides: ['no', 'yes'],
		source: 'page of the data structure: such accounts are made; nothing public about the event',
		unchecked: 'no request submits a form',
	},
	eventOfUpload: {
		question: 'Is user_uploads.added sent of a document that came by the API?',
		sides: ['yes', 'no'],
		source: 'page of the event, which names no exception',
	},
	accountsOfSync: {
		question: 'Which accounts does users.fully_synced name?',
		sides: ['all that are synced', 'the newest one'],
		source: 'page of the event; recorded deliveries, each of a user with one account',
		unchecked: 'no request connects an account',
	},
	eventOfLostConnection: {
		question: 'What is sent when a connection is lost that was there?',
		sides: ['accounts.updated', 'accounts.failed too'],
		source: 'page of accounts.failed in API v1: not sent then; v2 does not contradict',
		unchecked: 'no request makes a connection expire',
	},
} as const satisfies Record<string, Assumption>;
