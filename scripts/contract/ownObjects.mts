import { randomUUID } from 'node:crypto';
import { isJson, type Json } from '../../test/support/json.mts';
import { type Answer, howToFill, type Probe } from './probe.mts';
import { Undecided } from './undecided.mts';

/** Of a person whom a run invites. */
const [FIRST_NAME, LAST_NAME] = ['n8n-nodes-argyle', 'contract'];

/** The name of all that a run creates, and the external ID of its users, so that nothing of it can be missed. */
export const OWN_NAME = `${FIRST_NAME} ${LAST_NAME}`;

interface Kind {
	path: string;
	query?: Record<string, string>;
	/** Whether a run has created it, and it is still there. */
	isOwn: (record: Json) => boolean;
	/** @default to delete it */
	removal?: (id: string) => [method: string, path: string];
}

const deletion =
	(path: string) =>
	(id: string): [string, string] => ['DELETE', `${path}/${id}`];

/** Users last: with them goes what belongs to them. */
const KINDS: Kind[] = [
	{ path: '/v2/webhooks', isOwn: ({ name }) => name === OWN_NAME },
	{
		path: '/v2/reports',
		isOwn: ({ metadata }) => isJson(metadata) && metadata.made_by === OWN_NAME,
	},
	{
		path: '/v2/invites',
		isOwn: ({ first_name: first, last_name: last, status }) =>
			first === FIRST_NAME && last === LAST_NAME && status !== 'revoked',
		removal: (id) => ['POST', `/v2/invites/${id}/revoke`],
	},
	{
		path: '/v2/users',
		query: { external_id: OWN_NAME },
		isOwn: ({ external_id: id }) => id === OWN_NAME,
	},
];

export class OwnObjects {
	private readonly probe: Probe;

	constructor(probe: Probe) {
		this.probe = probe;
	}

	/** Another one each time, where subscriptions send to that are to get nothing. */
	get url(): string {
		return `${this.probe.target.nowhere}/${randomUUID()}`;
	}

	/** Whatever the answer is. */
	async subscribe(fields: Json = {}): Promise<Answer> {
		const body = { name: OWN_NAME, url: this.url, events: ['user_forms.removed'], ...fields };
		return await this.probe.ask('POST', '/v2/webhooks', { body });
	}

	/** Throws Undecided when it could not be created. */
	async subscription(fields: Json = {}): Promise<Json & { id: string }> {
		return created(await this.subscribe(fields), 'A webhook subscription');
	}

	async createUser(fields: Json = {}): Promise<Answer> {
		return await this.probe.ask('POST', '/v2/users', { body: { external_id: OWN_NAME, ...fields } });
	}

	/** Returns its ID. Throws Undecided when it could not be created. */
	async user(fields: Json = {}): Promise<string> {
		return created(await this.createUser(fields), 'A user').id;
	}

	/** Sent to the address that the run was given. Throws Undecided when it could not be sent. */
	async invite(): Promise<Json & { id: string }> {
		const { mailTo: email } = this.probe.target;
		if (email === undefined) throw new Undecided('There is no address to send an invite to.');
		const body = { first_name: FIRST_NAME, last_name: LAST_NAME, email, external_id: OWN_NAME };
		return created(await this.probe.ask('POST', '/v2/invites', { body }), 'An invite');
	}

	/** Of the first connected user, whatever the answer is. Throws Undecided when there is none. */
	async createReport(): Promise<Answer> {
		const accounts = await this.probe.atLeast(1, '/v2/accounts');
		const account = accounts.find(({ connection }) => isJson(connection) && connection.status === 'connected');
		if (typeof account?.user !== 'string') throw new Undecided('No user is connected.', howToFill('/v2/accounts'));
		const body = { user: account.user, metadata: { made_by: OWN_NAME } };
		return await this.probe.ask('POST', '/v2/reports/voie', { body });
	}

	/** Removes what this and earlier runs have left. Returns what could not be removed. */
	async remove(): Promise<string[]> {
		const probe = this.probe.uninterrupted();
		const left: string[] = [];
		for (const { path, query = {}, isOwn, removal = deletion(path) } of KINDS) {
			const records = await probe.all(path, query).catch((error: unknown) => {
				left.push(`${path} named "${OWN_NAME}" (${String(error)})`);
				return [];
			});
			for (const { id } of records.filter(isOwn)) {
				const isGone = await probe.ask(...removal(String(id))).then(
					({ status }) => status < 300 || status === 404,
					() => false,
				);
				if (!isGone) left.push(`${path}/${String(id)}`);
			}
		}
		return left;
	}
}

/** Throws Undecided when nothing was created. */
function created({ status, body }: Answer, what: string): Json & { id: string } {
	if (status === 403) throw new Undecided('The key may not do this (403).', 'Ask the owner of the workspace.');
	if (status >= 300) throw new Undecided(`${what} could not be created (${status}).`);
	if (isJson(body) && typeof body.id === 'string') return { ...body, id: body.id };
	throw new Undecided(`${what} was created, and the answer names no ID.`);
}
