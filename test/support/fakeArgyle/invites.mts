import { randomUUID } from 'node:crypto';
import { isJson } from '../json.mts';
import type { Assumed } from './assumed.mts';
import { keptId } from './externalId.mts';
import { isListed, paginate } from './pagination.mts';
import type { ApiRequest } from './request.mts';
import { type ApiResponse, errorResponse, invalidFields, methodNotAllowed, notFound } from './response.mts';
import type { Message, StoredRecord } from './types.mts';

export interface InviteStore {
	assumed: Assumed;
	/** With their `user_token`, which the list leaves out. */
	invites: Map<string, StoredRecord>;
	users: Map<string, StoredRecord>;
	/** Every e-mail and text message that Argyle sent. */
	messages: Message[];
	/** By Argyle's clock, in ISO 8601. */
	now(): string;
}

interface Addresses {
	email?: unknown;
	phone_number?: unknown;
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The end of every user token, by which all of them are found. */
export const USER_TOKEN_SIGNATURE = 'made-up-signature';

/** A JSON Web Token only by its looks. */
export const userToken = () =>
	`eyJhbGciOiJIUzI1NiJ9.${Buffer.from(randomUUID()).toString('base64url')}.${USER_TOKEN_SIGNATURE}`;

const REQUIRED = ['This field is required.'];

/** The two bodies that Argyle documents, and those for what is missing. */
export function addressErrors({ email, phone_number: phone }: Addresses): Record<string, string[]> {
	const errors: Record<string, string[]> = {};
	if (!isFilled(email) && !isFilled(phone)) errors.email = ['Either email or phone_number is required.'];
	if (isFilled(email) && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email)) errors.email = ['Enter a valid email address.'];
	if (isFilled(phone) && !/^\+?[\d\s()-]{10,}$/.test(phone)) errors.phone_number = ['Enter a valid phone number.'];
	return errors;
}

/** Writes to a person, and returns the deliveries as an invite holds them. */
function deliverInvite({ messages, now }: InviteStore, invite: string, addresses: Addresses): object[] {
	const ways = [
		{ method: 'email' as const, to: addresses.email },
		{ method: 'sms' as const, to: addresses.phone_number },
	];
	return ways.flatMap(({ method, to }) => {
		if (!isFilled(to)) return [];
		messages.push({ to, method, invite });
		return [{ id: randomUUID(), method, status: 'sent', sent_at: now(), updated_at: now() }];
	});
}

/** Those of sessions, which the list may leave out. */
const ofSessions = new WeakSet<StoredRecord>();

export function storeSessionInvite(store: InviteStore, user: string, fields: Record<string, unknown>): StoredRecord {
	const invite = storeInvite(store, user, fields);
	ofSessions.add(invite);
	return invite;
}

/** Stores an invite and sends it. */
export function storeInvite(store: InviteStore, user: string, fields: Record<string, unknown>): StoredRecord {
	const id = randomUUID();
	const created = store.now();
	const { email, phone_number: phone, first_name: first, last_name: last } = fields;
	const unused = store.assumed.unusedInviteAddress === 'null' ? null : '';
	const template = isJson(fields.override_invite_template) ? fields.override_invite_template : {};
	const settings = isJson(template.email) ? template.email : {};
	const invite: StoredRecord = {
		id,
		user,
		user_token: userToken(),
		email: isFilled(email) ? email : unused,
		phone_number: isFilled(phone) ? phone : unused,
		full_name: [first, last].join(' '),
		first_name: first,
		last_name: last,
		revoked_at: null,
		status: 'sent',
		group_id: null,
		url: `https://verify.argyle.com/connect/${id}`,
		created_at: created,
		updated_at: created,
		invited_at: created,
		flow_id: fields.flow_id ?? null,
		flow_items: fields.flow_items ?? null,
		reply_to: settings.reply_to ?? [],
		deliveries: deliverInvite(store, id, { email, phone_number: phone }),
		invite_template_id: null,
	};
	store.invites.set(id, invite);
	return invite;
}

function send(store: InviteStore, fields: Record<string, unknown>): ApiResponse {
	const errors = addressErrors(fields);
	for (const name of ['first_name', 'last_name']) if (!isFilled(fields[name])) errors[name] = REQUIRED;
	if (fields.flow_id !== undefined && !/^[A-Z0-9]{8}$/.test(String(fields.flow_id)))
		errors.flow_id = ['Flow does not exist.'];
	if (Object.keys(errors).length > 0) return invalidFields(errors);
	const user = randomUUID();
	const { first_name, last_name, email = null, phone_number = null, external_id = null } = fields;
	store.users.set(user, {
		id: user,
		created_at: store.now(),
		items_connected: [],
		employers_connected: [],
		external_metadata: {},
		external_id: keptId(external_id, store.assumed),
		first_name,
		last_name,
		email,
		phone_number,
		ssn: null,
		address: null,
		birth_date: null,
	});
	const invite = storeInvite(store, user, fields);
	const body = store.assumed.inviteDeliveries === 'empty' ? { ...invite, deliveries: [] } : invite;
	return { status: Number(store.assumed.createdStatus), body };
}

/** By their original ways, and again after the person has completed it. */
function resend(store: InviteStore, invite: StoredRecord): ApiResponse {
	if (invite.status === 'revoked' && store.assumed.resendRevoked === '400')
		return errorResponse(400, 'This invite was revoked.');
	const before = { ...invite };
	const delivered = Array.isArray(invite.deliveries) ? invite.deliveries : [];
	Object.assign(invite, { updated_at: store.now(), invited_at: store.now() });
	invite.deliveries = [
		...deliverInvite(store, invite.id, { email: invite.email, phone_number: invite.phone_number }),
		...delivered,
	];
	return changed(store, before, invite);
}

function revoke(store: InviteStore, invite: StoredRecord): ApiResponse {
	const before = { ...invite };
	const at = store.now();
	Object.assign(invite, { status: 'revoked', revoked_at: at, updated_at: at, invited_at: at });
	return changed(store, before, invite);
}

function changed({ assumed }: InviteStore, before: StoredRecord, after: StoredRecord): ApiResponse {
	if (assumed.emptyAnswer === 'empty') return { status: 200 };
	return { status: 200, body: assumed.revokeReply === 'changed' ? after : before };
}

function list(store: InviteStore, url: URL): ApiResponse {
	return paginate(url, (query) => {
		const statuses = query.getAll('status').flatMap((status) => status.split(','));
		const replyTo = query.get('reply_to');
		return [...store.invites.values()]
			.filter(({ status }) => statuses.length === 0 || statuses.includes(String(status)))
			.filter((invite) => isListed(invite, store.assumed.inviteIsListed))
			.filter((invite) => store.assumed.sessionInviteIsListed === 'yes' || !ofSessions.has(invite))
			.filter(({ reply_to: list }) => replyTo === null || (Array.isArray(list) && list.includes(replyTo)))
			.sort((one, other) => String(other.created_at).localeCompare(String(one.created_at)))
			.map((invite) => ({ ...invite, user_token: null }));
	});
}

export function handleInvites(store: InviteStore, request: ApiRequest, [id, action]: string[]): ApiResponse {
	const { method, url, body } = request;
	if (id === undefined) {
		if (method === 'GET') return list(store, url);
		if (method !== 'POST') return methodNotAllowed(method);
		return isJson(body) ? send(store, { ...body }) : errorResponse(400, 'JSON parse error.');
	}
	const invite = store.invites.get(id);
	if (invite === undefined) return notFound();
	if (method === 'GET' && action === undefined) return { status: 200, body: invite };
	if (method !== 'POST') return methodNotAllowed(method);
	return action === 'revoke' ? revoke(store, invite) : action === undefined ? resend(store, invite) : notFound();
}
