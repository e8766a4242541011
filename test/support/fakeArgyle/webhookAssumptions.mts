import type { Assumption } from './assumptions.mts';

export const WEBHOOK_ASSUMPTIONS = {
	webhooksOrder: {
		question: 'How is GET /v2/webhooks ordered by created_at?',
		sides: ['newest first', 'oldest first'],
		source: 'recorded',
	},
	orderingOfWebhooks: {
		question: 'How does ?ordering=created_at order GET /v2/webhooks?',
		sides: ['oldest first', 'newest first'],
		source: 'OpenAPI, which names no direction',
	},
	statusOfCreatedWebhook: {
		question: 'Which status has the answer to POST /v2/webhooks?',
		sides: ['201', '200'],
		source: 'OpenAPI: 200; a recorded creation of a user: 201',
	},
	replyToCreatedWebhook: {
		question: 'What is the answer to POST /v2/webhooks?',
		sides: ['the subscription', 'a message of an event'],
		source: 'OpenAPI; recorded; pages of events differ',
	},
	unsetConfig: {
		question: 'What is the `config` of a subscription created without one?',
		sides: ['{}', 'null'],
		source: 'recorded; example of v1: null',
	},
	unsetDaysSynced: {
		question: 'What is the `config` of a subscription to gigs.partially_synced without days?',
		sides: ['nothing', 'a number of days'],
		source: 'page of the event: required',
	},
	secretOfWebhook: {
		question: 'Does the list of subscriptions show their secrets?',
		sides: ['yes', 'no'],
		source: 'OpenAPI and recorded',
	},
	twoWebhooksToOneUrl: {
		question: 'May two subscriptions have the same name and URL?',
		sides: ['yes', 'no'],
		source: 'another client relies on it',
	},
	urlOfWebhook: {
		question: 'How is a URL with a blank stored?',
		sides: ['as it was sent', 'encoded'],
		source: 'OpenAPI: encoded, when is not said',
	},
	allEvents: {
		question: 'How does a subscription to all events name them?',
		sides: ['*', 'one by one'],
		source: 'recorded',
	},
	eventNames: {
		question: 'Which of the 51 event names does POST /v2/webhooks take?',
		sides: ['all', 'not all'],
		source: 'OpenAPI',
	},
	unknownEvent: {
		question: 'What answers a subscription to an unknown event?',
		sides: ['400', 'the subscription'],
		source: 'nothing public',
	},
	itemEventsWithoutItems: {
		question: 'What answers a subscription to items.updated without Items?',
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
		source: 'OpenAPI; recorded',
	},
	clockOfCreatedWebhook: {
		question: 'Which time is created_at of a subscription, by the clock of the records?',
		sides: ['that of the creation', 'a minute later'],
		source: 'recorded; updated_at is a minute later',
	},
	createdAtStays: {
		question: 'Does created_at of a subscription stay as it is?',
		sides: ['yes', 'no'],
		source: 'recorded',
	},
	createdSince: {
		question: 'Which subscriptions does from_created_at leave?',
		sides: ['the later ones', 'all'],
		source: 'OpenAPI',
	},
	statusOfDeletedWebhook: {
		question: 'What answers DELETE of a subscription?',
		sides: ['204 without a body', '200 with the record'],
		source: 'OpenAPI',
	},
	webhookDeletedTwice: {
		question: 'What answers DELETE of a subscription that is gone?',
		sides: ['404', '204'],
		source: 'nothing public',
	},
	receiptInSandbox: {
		question: 'What answers POST /v2/receipts in Sandbox?',
		sides: ['an error with a detail', 'a PDF'],
		source: 'sandbox page: no billing there',
	},
} as const satisfies Record<string, Assumption>;

/** What is believed of the last_sent_at of a subscription, with which the trigger finds out what it has missed. */
export const LAST_SENT_ASSUMPTIONS = {
	lastSentAtMoves: {
		question: 'Does last_sent_at move when something is sent?',
		sides: ['yes', 'no'],
		source: 'OpenAPI; recorded',
	},
	lastSentAtOfFailures: {
		question: 'Does last_sent_at move with a delivery that fails?',
		sides: ['yes', 'no'],
		source: 'recorded',
	},
	timeOfLastSent: {
		question: 'Which time does last_sent_at name?',
		sides: ['that of the sending', 'a minute later'],
		source: 'recorded: updated_at is a minute later',
	},
	lastSentAtIsShown: {
		question: 'How soon does a subscription show a new last_sent_at?',
		sides: ['within two minutes', 'later'],
		source: 'recorded: updated_at is a minute later',
	},
	precisionOfLastSent: {
		question: 'How precise is last_sent_at?',
		sides: ['milliseconds or finer', 'whole seconds'],
		source: 'recorded',
	},
	lastSentAtStays: {
		question: 'Does last_sent_at stay as it is while nothing is sent?',
		sides: ['yes', 'no'],
		source: 'OpenAPI',
	},
} as const satisfies Record<string, Assumption>;

export const DELIVERY_ASSUMPTIONS = {
	signature: {
		question: 'What signs a delivery?',
		sides: ['HMAC-SHA512 of its bytes, in lower-case hex', 'something else'],
		source: 'legacy webhooks overview; recorded',
	},
	signatureWithoutSecret: {
		question: 'Has a delivery without a secret a signature?',
		sides: ['no', 'yes'],
		source: 'nothing public',
	},
	indentation: {
		question: 'How is the JSON of a delivery written?',
		sides: ['indented by two blanks', 'in one line'],
		source: 'recorded',
	},
	deliveryHeaders: {
		question: 'Does a header tell deliveries apart (an ID, a time, an attempt)?',
		sides: ['no', 'yes'],
		source: 'recorded',
	},
	retryAfter503: {
		question: 'What follows 503 to a delivery?',
		sides: ['the same bytes once more, after 30 s', 'nothing'],
		source: 'two third parties',
	},
	retryAfter401: {
		question: 'What follows 401 to a delivery?',
		sides: ['nothing', 'the same bytes once more'],
		source: 'nothing public',
	},
	redirectOfDelivery: {
		question: 'Does a delivery follow a redirect?',
		sides: ['no', 'yes'],
		source: 'nothing public',
	},
	addedByUpload: {
		question: 'Is accounts.added sent of an account made by an upload?',
		sides: ['no', 'yes'],
		source: 'page of the data structure: such accounts are made',
	},
	addedByForm: {
		question: 'Is accounts.added sent of an account made by a form?',
		sides: ['no', 'yes'],
		source: 'page of the data structure: such accounts are made',
		unchecked: 'no request submits a form',
	},
	eventOfUpload: {
		question: 'Is user_uploads.added sent of a document that came by the API?',
		sides: ['yes', 'no'],
		source: 'page of the event',
	},
	accountsOfSync: {
		question: 'Which accounts does users.fully_synced name?',
		sides: ['all that are synced', 'the newest one'],
		source: 'page of the event',
		unchecked: 'no request connects an account',
	},
	eventOfLostConnection: {
		question: 'What is sent when a connection is lost?',
		sides: ['accounts.updated', 'accounts.failed too'],
		source: 'page of accounts.failed in API v1',
		unchecked: 'no request makes a connection expire',
	},
} as const satisfies Record<string, Assumption>;
