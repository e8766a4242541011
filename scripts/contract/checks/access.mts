import { randomUUID } from 'node:crypto';
import { isJson } from '../../../test/support/json.mts';
import { type Check, checksThatNeed } from '../check.mts';
import { type Answer, type Probe } from '../probe.mts';
import { Undecided } from '../undecided.mts';

const reading = checksThatNeed();
const withAnotherKey = checksThatNeed('another key');

const ERRORS = ['nodes/Argyle/transport/errorDetail.ts', 'nodes/Argyle/transport/errorMapper.ts'];

/** A status with the name of the field that holds its words. */
function worded({ status, body }: Answer): string {
	if (!isJson(body)) return `${status} without JSON`;
	if (typeof body.detail === 'string') return `${status} with a detail`;
	return typeof body.message === 'string' ? `${status} with a message` : `${status} without a detail`;
}

const missing = () => `/v2/users/${randomUUID()}`;

async function list(probe: Probe, query: Record<string, string>): Promise<Answer> {
	return await probe.ask('GET', '/v2/accounts', { query });
}

export const ACCESS_CHECKS: Check[] = [
	reading('unknownKey', ['nodes/Argyle/shared/credentialTest.ts', ...ERRORS], async (probe) => {
		const key = { id: randomUUID().replaceAll('-', ''), secret: randomUUID() };
		return worded(await probe.ask('GET', '/v2/webhooks', { query: { limit: '1' }, key }));
	}),
	withAnotherKey('keyOfOtherEnvironment', ['nodes/Argyle/shared/credentialTest.ts', ...ERRORS], async (probe) => {
		const { otherKey: key } = probe.target;
		const { status, body } = await probe.ask('GET', '/v2/webhooks', { query: { limit: '1' }, key });
		if (status !== 401) return String(status);
		const detail = isJson(body) ? String(body.detail) : '';
		return /environment/i.test(detail) ? '401 that names the environment' : '401 as an unknown key';
	}),
	reading('unknownRecord', ERRORS, async (probe) => {
		const answer = await probe.ask('GET', missing());
		return answer.status === 404 && worded(answer) !== '404 with a detail' ? '404 without a detail' : worded(answer);
	}),
	reading(
		'malformedId',
		['nodes/Argyle/transport/errorMapper.ts', 'nodes/Argyle/shared/parameters.ts'],
		async (probe) => String((await probe.ask('GET', '/v2/users/no-such-id')).status),
	),
	reading('unknownParameter', ['nodes/Argyle/api/filters.ts'], async (probe) => {
		const { status } = await list(probe, { unknown_parameter: '1' });
		return status === 200 ? 'ignores it' : status === 400 ? 'refuses it' : String(status);
	}),
	reading('filterByUnknownUser', ['nodes/Argyle/api/filters.ts', 'nodes/Argyle/api/eventRecords.ts'], async (probe) => {
		const { status, body } = await list(probe, { user: randomUUID() });
		if (status !== 200) return String(status);
		const results: unknown = isJson(body) ? body.results : body;
		return Array.isArray(results) && results.length === 0 ? 'an empty list' : 'the list without the filter';
	}),
	reading('traceId', ['nodes/Argyle/transport/request.ts'], async (probe) => {
		const good = await probe.ask('GET', '/v2/webhooks', { query: { limit: '1' } });
		const bad = await probe.ask('GET', missing());
		if (bad.status < 400) throw new Undecided('No answer was an error.');
		const [inGood, inBad] = [good, bad].map(({ headers }) => headers.has('x-trace-id'));
		if (inGood && inBad) return 'all';
		return inGood ? 'those that succeed' : inBad ? 'those that fail' : 'none';
	}),
];
