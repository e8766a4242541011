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
		source: 'Users: Create a user (the page says 200, recorded traffic 201)',
	},
	refusedField: {
		question: 'What does the answer to a wrong field hold?',
		sides: ['words for each field', 'a detail'],
		source: 'Users: Create a user (e-mail and phone number)',
	},
	userIsListed: {
		question: 'Is a new user found by its external_id at once?',
		sides: ['yes', 'no'],
		source: 'Users: List all users',
	},
	externalIdIsKept: {
		question: 'Does a user have exactly the external_id that was sent?',
		sides: ['as it was sent', 'in small letters'],
		source: 'OpenAPI: up to 100 characters',
	},
	inviteIsListed: {
		question: 'Is a new invite in the list at once?',
		sides: ['yes', 'no'],
		source: 'Invites: List all invites',
	},
	inviteDeliveries: {
		question: 'Does the answer to a new invite name its deliveries?',
		sides: ['filled', 'empty'],
		source: 'Invites: Send an invite (the example has them, sent 20 s later)',
	},
	unusedInviteAddress: {
		question: 'What has an invite for the way it was not sent?',
		sides: ['null', 'empty text'],
		source: 'Invites: Retrieve an invite',
	},
	resendRevoked: {
		question: 'What does sending a revoked invite again do?',
		sides: ['400', 'sends'],
		source: 'Invites: Resend an invite',
	},
	revokeReply: {
		question: 'Does the answer to Resend and Revoke show the changed invite?',
		sides: ['changed', 'as before'],
		source: 'Invites: Revoke an invite (text and example differ)',
	},
	deletedTwice: {
		question: 'What does a second deletion answer?',
		sides: ['404', '204'],
		source: 'Users: Delete a user',
	},
	emptyAnswer: {
		question: 'Does an action that changes a record answer with the record?',
		sides: ['record', 'empty'],
		source: 'Verifications: Cancel a verification',
	},
	loanOfGovernment: {
		question: 'What answers an order for the government that names a loan?',
		sides: ['the verification', '400'],
		source: 'Verifications: Order ("regular payroll and mortgage")',
		unchecked: 'an order may be billed',
	},
	reportOfNextCompletion: {
		question: 'Which report has a verification that is completed again?',
		sides: ['a new one', 'the same'],
		source: 'Verifications: Update',
		unchecked: 'an order may be billed',
	},
	sessionInviteIsListed: {
		question: 'Does the list of invites show those of sessions?',
		sides: ['yes', 'no'],
		source: 'Sessions: Create',
		unchecked: 'an order may be billed',
	},
	metadataMerge: {
		question: 'How deep is the metadata of a user merged by an update?',
		sides: ['shallow', 'deep'],
		source: 'Users: Update a user (says "merged")',
	},
	eleventhReport: {
		question: "What answers a user's eleventh report of a day?",
		sides: ['400', '429'],
		source: 'Reports: Generate a report',
	},
	generatedEvent: {
		question: 'Does the event that a report was generated name the report?',
		sides: ['no ID', 'ID'],
		source: 'Webhooks, Reports (user and type only)',
	},
	disableRefresh: {
		question: 'What does disabling the ongoing refresh answer?',
		sides: ['200', '403'],
		source: 'Accounts: Disable ongoing refresh (has to be enabled by Argyle)',
		unchecked: 'it can not be undone by API',
	},
	searchLinks: {
		question: 'Does the search for employers link to further pages?',
		sides: ['no', 'yes'],
		source: 'Employer search (recorded have results only)',
	},
} as const satisfies Record<string, Assumption>;
