import { randomUUID } from 'node:crypto';
import { isJson } from '../json.mts';
import { addressErrors, storeSessionInvite } from './invites.mts';
import type { ApiRequest } from './request.mts';
import { type ApiResponse, errorResponse, invalidFields, methodNotAllowed, notFound } from './response.mts';
import type { StoredRecord } from './types.mts';
import type { OrderApi } from './orders.mts';

const object = (value: unknown) => (isJson(value) ? value : {});

const isActive = ({ status, data_source: source }: StoredRecord) =>
	source !== 'documents' && !['COMPLETED', 'CANCELLED'].includes(String(object(status).state));

function createLink({ records, assumed }: OrderApi, body: Record<string, unknown>): ApiResponse {
	const verification = records.of('verifications').get(String(body.verification));
	if (verification === undefined) return invalidFields({ verification: ['Verification does not exist.'] });
	if (!isActive(verification)) return errorResponse(400, 'The verification is not active.');
	const { items = [], language = 'EN', mobile_app = false, redirect_url = null, ...rest } = object(body.configuration);
	return {
		status: Number(assumed.createdStatus),
		body: {
			verification: verification.id,
			configuration: {
				...{ experience: null, single_use_url: false, redirect_url, flow_id: null },
				...{ items, language, mobile_app, ...rest },
			},
			link: `https://connect.argyle.com/?${randomUUID()}`,
			data_source: verification.data_source,
		},
	};
}

function sendInvite(api: OrderApi, body: Record<string, unknown>): ApiResponse {
	const user = api.users.get(String(body.user));
	if (user === undefined) return invalidFields({ user: ['User does not exist.'] });
	const { email, phone_number: phone, flow_id = null, items = [], reply_to = null } = object(body.configuration);
	const errors = addressErrors({ email, phone_number: phone });
	if (Object.keys(errors).length > 0) return { status: 400, body: { configuration: errors } };
	if (!user.first_name || !user.last_name) return errorResponse(400, 'The user has no name.');
	const active = [...api.records.of('verifications').values()].filter((one) => one.user === user.id && isActive(one));
	if (active.length === 0) return errorResponse(400, 'The user has no active verification.');
	for (const verification of active) verification.status = { state: 'PENDING', code: 'invite_sent', errors: [] };
	const { first_name, last_name } = user;
	const fields = { email, phone_number: phone, first_name, last_name, flow_id, flow_items: items };
	const invite = storeSessionInvite(api, user.id, fields);
	const { status, deliveries, invited_at, created_at, updated_at } = invite;
	return {
		status: Number(api.assumed.createdStatus),
		body: {
			id: invite.id,
			user: user.id,
			type: 'invite',
			configuration: { flow_id, items, reply_to, email: invite.email, phone_number: invite.phone_number },
			link: `${String(invite.url)}?sandbox=1`,
			invite: { status, deliveries, invited_at, created_at, updated_at },
		},
	};
}

export function handleSessions(api: OrderApi, { method, body }: ApiRequest, [id]: string[]): ApiResponse {
	if (id !== undefined) return notFound();
	if (method !== 'POST') return methodNotAllowed(method);
	const fields = isJson(body) ? { ...body } : {};
	return fields.type === 'invite' ? sendInvite(api, fields) : createLink(api, fields);
}
