import type { IDataObject } from 'n8n-workflow';

import type { ArgyleClient } from '../transport/client';
import { type InviteAddresses, invitesSince } from './invites';
import { type AttemptOf, writeOnce } from './writeOnce';

/** Creating is the only operation that Argyle has for sessions (OpenAPI file, 1.0.111). */
const PATH = '/v2/sessions';

/**
 * Makes a link that works for an hour. A request may be repeated, because Argyle renews a link by making another one.
 * Verifications from documents have no link.
 */
export async function createLink(
	client: ArgyleClient,
	verification: string,
	configuration: IDataObject,
): Promise<unknown> {
	const body = { verification, type: 'embedded', configuration };
	const subject = `verification ${verification}`;
	return await client.json({ method: 'POST', path: PATH, body, subject, isIdempotent: true });
}

export interface SessionInvite extends IDataObject {
	type: 'invite';
	user: string;
	configuration: InviteAddresses & IDataObject;
}

/**
 * Argyle writes to the person at once, and the link works for 180 days. After an unclear answer, this looks for the
 * invite, and returns it in the form of a session.
 */
export async function sendSessionInvite(
	client: ArgyleClient,
	attemptOf: AttemptOf,
	request: SessionInvite,
): Promise<IDataObject> {
	const { user, configuration } = request;
	return await writeOnce(client, attemptOf, {
		request: {
			method: 'POST',
			path: PATH,
			body: request,
			subject: `user ${user}`,
			unclear: { what: 'the invite was sent', check: 'Invite: Get Many' },
		},
		findCreated: async (isSince) => {
			const found = await invitesSince(client, isSince, configuration);
			return found.filter((invite) => invite.user === user).map(toSession);
		},
	});
}

function toSession({ id, user, url: link, flow_id, flow_items: items, email, phone_number, ...rest }: IDataObject) {
	const { status, deliveries, invited_at, created_at, updated_at } = rest;
	return {
		id,
		user,
		type: 'invite',
		configuration: { flow_id, items, email, phone_number },
		link,
		invite: { status, deliveries, invited_at, created_at, updated_at },
	};
}
