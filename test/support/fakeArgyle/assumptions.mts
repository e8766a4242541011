export interface Assumption {
	question: string;
	/** What it may be; the fake Argyle takes the first unless it is told otherwise. */
	sides: readonly [string, string];
	/** The page of docs.argyle.com that comes nearest to an answer, and its section. */
	source: string;
	/** Why `npm run contract` has no check of it. */
	unchecked?: string;
}

/**
 * Every assumed answer of the fake Argyle, so that a fact which is found later is changed in one place. The tests of
 * the nodes pass with either side of each.
 */
export const ASSUMPTIONS = {
	createdStatus: {
		question: 'Which status does a creation answer with?',
		sides: ['201', '200'],
		source: 'API reference, Users: Create a user (the page says 200, recorded traffic 201)',
	},
	refusedField: {
		question: 'What does the answer to a request with a wrong field hold?',
		sides: ['words for each field', 'a detail'],
		source: 'API reference, Users: Create a user (words for e-mail and phone number; other pages say nothing)',
	},
	userIsListed: {
		question: 'Is a new user found by its external_id at once?',
		sides: ['yes', 'no'],
		source: 'API reference, Users: List all users',
	},
	externalIdIsKept: {
		question: 'Does a user have exactly the external_id that was sent?',
		sides: ['as it was sent', 'in small letters'],
		source: 'nothing public; the OpenAPI file says up to 100 characters',
	},
	inviteIsListed: {
		question: 'Is a new invite in the list at once?',
		sides: ['yes', 'no'],
		source: 'API reference, Invites: List all invites',
	},
	inviteDeliveries: {
		question: 'Does the answer to a new invite name its deliveries?',
		sides: ['filled', 'empty'],
		source: 'API reference, Invites: Send an invite (the example has them, sent 20 s later)',
	},
	unusedInviteAddress: {
		question: 'What does an invite hold for the way by which it was not sent?',
		sides: ['null', 'empty text'],
		source: 'API reference, Invites: Retrieve an invite',
	},
	resendRevoked: {
		question: 'What does sending a revoked invite again do?',
		sides: ['400', 'sends'],
		source: 'API reference, Invites: Resend an invite',
	},
	revokeReply: {
		question: 'Does the answer to Resend and Revoke show the changed invite?',
		sides: ['changed', 'as before'],
		source: 'API reference, Invites: Revoke an invite (text and example differ)',
	},
	deletedTwice: {
		question: 'What does a second deletion answer?',
		sides: ['404', '204'],
		source: 'API reference, Users: Delete a user',
	},
	emptyAnswer: {
		question: 'Does an action that changes a record answer with the record?',
		sides: ['record', 'empty'],
		source: 'API reference, Verifications: Cancel a verification',
	},
	loanOfGovernment: {
		question: 'What does an order of a report for the government get that names a loan?',
		sides: ['the verification', '400'],
		source: 'API reference, Verifications: Order (loan and billing "apply to regular payroll and mortgage")',
		unchecked: 'an order may be billed, and can not be withdrawn',
	},
	reportOfNextCompletion: {
		question: 'Which report has a completed verification that is processed and completed again?',
		sides: ['a new one', 'the same'],
		source: 'API reference, Verifications: Update (says nothing of the report)',
		unchecked: 'an order may be billed, and no request makes Argyle process it again',
	},
	sessionInviteIsListed: {
		question: 'Does the list of invites show those of sessions?',
		sides: ['yes', 'no'],
		source: 'API reference, Sessions: Create (its answer has the fields of an invite)',
		unchecked: 'a session needs an order, which may be billed',
	},
	metadataMerge: {
		question: 'How deep is the metadata of a user merged by an update?',
		sides: ['shallow', 'deep'],
		source: 'API reference, Users: Update a user (says "merged")',
	},
	eleventhReport: {
		question: 'What does the eleventh report of a user within a day answer?',
		sides: ['400', '429'],
		source: 'API reference, Reports: Generate a report (ten a day, no status)',
	},
	generatedEvent: {
		question: 'Does the event that a report was generated name the report?',
		sides: ['no ID', 'ID'],
		source: 'Webhooks, Reports (user and type only)',
	},
	disableRefresh: {
		question: 'What does disabling the ongoing refresh answer?',
		sides: ['200', '403'],
		source: 'API reference, Accounts: Disable ongoing refresh (has to be enabled by Argyle)',
		unchecked: 'it can not be undone by API',
	},
	searchLinks: {
		question: 'Does the search for employers link to further pages?',
		sides: ['no', 'yes'],
		source: 'API reference, Employer search (recorded replies have results only)',
	},
} as const satisfies Record<string, Assumption>;
