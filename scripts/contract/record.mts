import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RECORD_TYPES } from '../../test/support/fakeArgyle/recordTypes.mts';
import { isJson } from '../../test/support/json.mts';
import { root } from '../../test/support/paths.mts';
import { MadeUp } from './madeUp.mts';
import type { Target } from './options.mts';
import { Probe } from './probe.mts';

export const RECORDED = join(root, 'test', 'support', 'recorded');

/** Read lists of the nodes. */
const LISTS = ['invites', 'user-forms', 'users', ...Object.keys(RECORD_TYPES)];

/** An answer of a service, of which only the form is true. */
export interface Recorded {
	request: string;
	status: number;
	contentType: string | null;
	body: unknown;
}

/** Three records show whether a field is in all of them; links of pages are no matter of form. */
function shortened(body: unknown): unknown {
	if (!isJson(body)) return body;
	return 'next' in body ? { ...body, next: null, previous: null } : body;
}

/** Stores the form of each list and of some errors. `service` names the folder, which is returned. */
export async function record(target: Target, service: string): Promise<string> {
	const folder = join(RECORDED, service);
	mkdirSync(folder, { recursive: true });
	const probe = new Probe(target, new AbortController().signal);
	const store = async (name: string, path: string, query: Record<string, string>) => {
		const { status, headers, body } = await probe.ask('GET', path, { query });
		const recorded: Recorded = {
			request: `GET ${path.replace(/[0-9a-f-]{36}/, '{id}')}`,
			status,
			contentType: headers.get('content-type'),
			body: new MadeUp().of(shortened(body)),
		};
		writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(recorded, null, '\t')}\n`);
	};
	for (const list of LISTS) await store(list, `/v2/${list}`, { limit: '3' });
	await store('employer-search', '/v2/employer-search', { q: 'goods', limit: '3' });
	await store('error-unknown-record', `/v2/users/${randomUUID()}`, {});
	await store('error-limit', '/v2/users', { limit: '201' });
	return folder;
}
