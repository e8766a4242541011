import type { IDataObject } from 'n8n-workflow';

import type { ArgyleClient } from '../transport/client';
import { isUuid } from '../utils/ids';
import { isDataObject } from '../utils/json';
import { getRecord, listOf } from './records';
import { type RecordType, words } from './recordTypes';
import { listRecords } from './pagination';
import { rememberUser } from './usersByExternalId';
import { type AttemptOf, isSent, type IsSince, type Write, writeOnce } from './writeOnce';

/** Paths, filters and fields are those of Argyle's OpenAPI file, 1.0.111. */
export const INVITES: RecordType = {
	one: 'invite',
	many: 'invites',
	path: '/v2/invites',
	filters: [],
	hasAnyId: true,
	simplified: words('id user status first_name last_name email phone_number url invited_at deliveries'),
};

/** The addresses to which messages for a person go. */
export interface InviteAddresses {
	email?: string;
	phone_number?: string;
}

/** The body of POST /v2/invites. */
export interface InviteRequest extends InviteAddresses, IDataObject {
	first_name: string;
	last_name: string;
	external_id?: string;
	flow_id?: string;
	flow_items?: string[];
	override_invite_template?: { email: { reply_to: string[] } };
}

const lowered = (text: unknown) => String(text ?? '').toLowerCase();

/** Argyle may write a number in another form than the one that it was sent. */
const lastDigits = (phone: unknown) =>
	String(phone ?? '')
		.replace(/\D/g, '')
		.slice(-10);

/** The invites to these addresses since a request was sent. Argyle can't filter its list by address, or by time. */
export async function invitesSince(
	client: ArgyleClient,
	isSince: IsSince,
	{ email, phone_number: phone }: InviteAddresses,
): Promise<IDataObject[]> {
	const accepts = (invite: IDataObject) =>
		isSince(invite.created_at) &&
		lowered(invite.email) === lowered(email) &&
		lastDigits(invite.phone_number) === lastDigits(phone);
	return await listRecords(client, { ...listOf(INVITES), accepts }, Infinity);
}

export const isNamed = (invite: IDataObject, request: InviteRequest): boolean =>
	lowered(invite.first_name) === lowered(request.first_name) &&
	lowered(invite.last_name) === lowered(request.last_name);

const sendingOf = (request: InviteRequest): Write['request'] => ({
	method: 'POST',
	path: INVITES.path,
	body: request,
	subject: `address ${INVITES.path}`,
	unclear: { what: 'the invite was sent', check: 'Invite: Get Many' },
});

/** Whether an earlier try of the execution has sent the invite. */
export const isInviteSent = (client: ArgyleClient, attemptOf: AttemptOf, request: InviteRequest): boolean =>
	isSent(client, attemptOf, { request: sendingOf(request) });

/**
 * Argyle creates a user for the invite, because it sends no invite of this kind to an existing user. Nothing is sent if
 * `findExisting` finds an invite.
 */
export async function sendInvite(
	client: ArgyleClient,
	attemptOf: AttemptOf,
	request: InviteRequest,
	findExisting: Write['findExisting'],
): Promise<IDataObject> {
	const { external_id: externalId } = request;
	const invite = await writeOnce(client, attemptOf, {
		findExisting,
		request: sendingOf(request),
		findCreated: async (isSince) => {
			const found = await invitesSince(client, isSince, request);
			return found.filter((invite) => isNamed(invite, request));
		},
	});
	// Whoever asks for this ID next has to find the new user, or would create another one.
	if (externalId !== undefined && isUuid(invite.user)) rememberUser(client, externalId, { id: invite.user });
	return invite;
}

/** The times of the messages that an invite names. */
function messageTimes({ invited_at: invitedAt, deliveries }: IDataObject): unknown[] {
	const sent: unknown[] = Array.isArray(deliveries) ? deliveries : [];
	return [invitedAt, ...sent.map((delivery) => (isDataObject(delivery) ? delivery.sent_at : undefined))];
}

/** Sends the same link once more, by the same ways as before, even to a person who has completed the invite. */
export async function resendInvite(client: ArgyleClient, attemptOf: AttemptOf, id: string): Promise<IDataObject> {
	return await writeOnce(client, attemptOf, {
		request: {
			method: 'POST',
			path: `${INVITES.path}/${encodeURIComponent(id)}`,
			subject: `invite ${id}`,
			unclear: { what: 'the invite was sent again', check: 'Invite: Get' },
		},
		findChanged: async (isSince) => {
			const invite = await getRecord(client, INVITES, id);
			return messageTimes(invite).some(isSince) ? invite : undefined;
		},
	});
}

export const isRevoked = ({ status, revoked_at: revokedAt }: IDataObject) => status === 'revoked' || Boolean(revokedAt);

/** Closes the link, which from then on says that the invite has expired. */
export async function revokeInvite(client: ArgyleClient, attemptOf: AttemptOf, id: string): Promise<IDataObject> {
	const find = async () => await getRecord(client, INVITES, id);
	const revoked = await writeOnce(client, attemptOf, {
		request: {
			method: 'POST',
			path: `${INVITES.path}/${encodeURIComponent(id)}/revoke`,
			subject: `invite ${id}`,
			unclear: { what: 'the invite was revoked', check: 'Invite: Get' },
		},
		findChanged: async () => {
			const invite = await find();
			return isRevoked(invite) ? invite : undefined;
		},
	});
	// The answer of Argyle's own example shows the invite as it was before.
	return isRevoked(revoked) ? revoked : await find().catch(() => revoked);
}
