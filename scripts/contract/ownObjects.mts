import { randomUUID } from 'node:crypto';
import { isJson, type Json } from '../../test/support/json.mts';
import type { Answer, Probe } from './probe.mts';
import { Untold } from './untold.mts';

/** The name of all that a run creates, and the external ID of its users, so that nothing of it can be missed. */
export const OWN_NAME = 'n8n-nodes-argyle contract';

/** Nobody has it, so nothing is delivered there. */
const NOWHERE = 'https://contract.invalid';

interface Kind {
	path: string;
	query: Record<string, string>;
	isOwn: (record: Json) => boolean;
}

const KINDS: Kind[] = [
	{ path: '/v2/webhooks', query: {}, isOwn: ({ name }) => name === OWN_NAME },
	{ path: '/v2/users', query: { external_id: OWN_NAME }, isOwn: ({ external_id }) => external_id === OWN_NAME },
];

/** What a run creates, and how it is removed. */
export class OwnObjects {
	private readonly probe: Probe;

	constructor(probe: Probe) {
		this.probe = probe;
	}

	/** Another one each time, where subscriptions send to that are to get nothing. */
	get url(): string {
		return `${NOWHERE}/${randomUUID()}`;
	}

	/** Whatever the answer is. */
	async subscribe(fields: Json = {}): Promise<Answer> {
		const body = { name: OWN_NAME, url: this.url, events: ['user_forms.removed'], ...fields };
		return await this.probe.ask('POST', '/v2/webhooks', { body });
	}

	/** Throws Untold when it could not be created. */
	async subscription(fields: Json = {}): Promise<Json & { id: string }> {
		return created(await this.subscribe(fields), 'A webhook subscription');
	}

	/** Returns the ID of a user without anything. */
	async user(fields: Json = {}): Promise<string> {
		const answer = await this.probe.ask('POST', '/v2/users', { body: { external_id: OWN_NAME, ...fields } });
		return created(answer, 'A user').id;
	}

	/** Removes what this and earlier runs have left. Returns what could not be removed. */
	async remove(): Promise<string[]> {
		const probe = this.probe.uninterrupted();
		const left: string[] = [];
		for (const { path, query, isOwn } of KINDS) {
			const records = await probe.all(path, query).catch((error: unknown) => {
				left.push(`${path} named ${OWN_NAME} (${String(error)})`);
				return [];
			});
			for (const { id } of records.filter(isOwn)) {
				const gone = await probe.ask('DELETE', `${path}/${String(id)}`).then(
					({ status }) => status < 300 || status === 404,
					() => false,
				);
				if (!gone) left.push(`${path}/${String(id)}`);
			}
		}
		return left;
	}
}

/** Throws Untold when nothing was created. */
export function created({ status, body }: Answer, what: string): Json & { id: string } {
	if (status === 403) throw new Untold(`The key may not do this (403).`, 'Ask the owner of the workspace.');
	if (status >= 300) throw new Untold(`${what} could not be created (${status}).`);
	if (isJson(body) && typeof body.id === 'string') return { ...body, id: body.id };
	throw new Untold(`${what} was created, and the answer names no ID.`);
}
