import { isJson } from '../../../test/support/json.mts';
import { type Check, checksThatNeed } from '../check.mts';
import { deliveriesOf } from '../deliveryRun.mts';
import { OWN_NAME, type OwnObjects } from '../ownObjects.mts';
import { howToFill, type Probe } from '../probe.mts';
import { Undecided } from '../undecided.mts';

const reading = checksThatNeed();
const writing = checksThatNeed('writing');
const inviting = checksThatNeed('an address');
const receiving = checksThatNeed('deliveries');

const WRITE_ONCE = 'nodes/Argyle/api/writeOnce.ts';
const INVITES = 'nodes/Argyle/api/invites.ts';
const REPORTS = 'nodes/Argyle/api/reports.ts';
const USERS = 'nodes/Argyle/api/userWrites.ts';

const REPORTS_A_DAY = 10;

/** Each invite is created for one check, and revoked before the next. */
async function revoked(probe: Probe, own: OwnObjects) {
	const { id } = await own.invite();
	return { id, answer: await probe.ask('POST', `/v2/invites/${id}/revoke`) };
}

/** What is written: all of it belongs to users of the run's own, but for reports, which need a connected user. */
export const WRITE_CHECKS: Check[] = [
	reading('searchLinks', ['nodes/Argyle/api/pagination.ts', 'nodes/Argyle/api/employers.ts'], async (probe) => {
		const { status, body } = await probe.ask('GET', '/v2/employer-search', { query: { q: 'goods' } });
		if (status !== 200) throw new Undecided(`/v2/employer-search answered ${status}.`);
		return isJson(body) && 'next' in body ? 'yes' : 'no';
	}),
	writing('createdStatus', [USERS, WRITE_ONCE], async (_, own) => {
		const { status } = await own.createUser();
		if (status >= 300) throw new Undecided(`A user could not be created (${status}).`);
		return String(status);
	}),
	writing(
		'refusedField',
		['nodes/Argyle/transport/errorDetail.ts', 'nodes/Argyle/transport/errorMapper.ts'],
		async (_, own) => {
			const { status, body } = await own.subscribe({ url: 'no address' });
			if (status !== 400) return `the status ${status}`;
			if (isJson(body) && typeof body.detail === 'string') return 'a detail';
			return isJson(body) && Array.isArray(body.url) ? 'words for each field' : 'something else';
		},
	),
	writing('userIsListed', [USERS, WRITE_ONCE], async (probe, own) => {
		const id = await own.user();
		const found = await probe.page('/v2/users', { external_id: OWN_NAME });
		return found.some((user) => user.id === id) ? 'yes' : 'no';
	}),
	writing('externalIdIsKept', [USERS, 'nodes/Argyle/api/usersByExternalId.ts'], async (probe, own) => {
		// Found again by the name of the run's own users, whatever Argyle makes of this one.
		const sent = `${OWN_NAME} É`;
		const path = `/v2/users/${await own.user()}`;
		await probe.ask('PATCH', path, { body: { external_id: sent } });
		const { body } = await probe.ask('GET', path);
		const kept: unknown = isJson(body) ? body.external_id : undefined;
		await probe.ask('PATCH', path, { body: { external_id: OWN_NAME } });
		if (kept === sent) return 'as it was sent';
		return kept === sent.toLowerCase() ? 'in small letters' : 'in another form';
	}),
	writing('deletedTwice', ['nodes/Argyle/transport/errors.ts'], async (probe, own) => {
		const id = await own.user();
		await probe.ask('DELETE', `/v2/users/${id}`);
		return String((await probe.ask('DELETE', `/v2/users/${id}`)).status);
	}),
	writing('metadataMerge', [USERS], async (probe, own) => {
		const path = `/v2/users/${await own.user({ external_metadata: { outer: { first: '1' } } })}`;
		const { status } = await probe.ask('PATCH', path, { body: { external_metadata: { outer: { second: '2' } } } });
		if (status >= 300) throw new Undecided(`A user could not be updated (${status}).`);
		const { body } = await probe.ask('GET', path);
		const metadata: unknown = isJson(body) ? body.external_metadata : undefined;
		const outer: unknown = isJson(metadata) ? metadata.outer : undefined;
		if (!isJson(outer) || outer.second !== '2') return 'not at all';
		return outer.first === '1' ? 'deep' : 'shallow';
	}),
	inviting('inviteIsListed', [INVITES, WRITE_ONCE], async (probe, own) => {
		const { id } = await own.invite();
		return (await probe.page('/v2/invites')).some((invite) => invite.id === id) ? 'yes' : 'no';
	}),
	inviting('inviteDeliveries', [INVITES], async (_, own) => {
		const { deliveries } = await own.invite();
		return Array.isArray(deliveries) && deliveries.length > 0 ? 'filled' : 'empty';
	}),
	inviting('unusedInviteAddress', [INVITES], async (_, own) => {
		const { phone_number: phone } = await own.invite();
		return phone === null ? 'null' : phone === '' ? 'empty text' : 'something else';
	}),
	inviting('revokeReply', [INVITES], async (probe, own) => {
		const { status, body } = (await revoked(probe, own)).answer;
		if (!isJson(body)) throw new Undecided(`Revoking answered ${status} without a record.`);
		return body.status === 'revoked' ? 'changed' : 'as before';
	}),
	inviting('emptyAnswer', [INVITES, 'nodes/Argyle/api/verifications.ts'], async (probe, own) =>
		(await revoked(probe, own)).answer.isEmpty ? 'empty' : 'record',
	),
	inviting('resendRevoked', [INVITES], async (probe, own) => {
		const { id } = await revoked(probe, own);
		const { status } = await probe.ask('POST', `/v2/invites/${id}`);
		return status < 300 ? 'sends' : String(status);
	}),
	receiving('generatedEvent', ['nodes/Argyle/api/eventRules.ts', REPORTS], async (probe, own) => {
		const [delivery] = (await deliveriesOf(probe, own)).report;
		if (delivery === undefined) throw new Undecided('No report was reported.', howToFill('/v2/accounts'));
		const message: unknown = JSON.parse(delivery.body.toString());
		const data = isJson(message) && isJson(message.data) ? message.data : {};
		return ['report', 'resource', 'id'].some((field) => field in data) ? 'ID' : 'no ID';
	}),
	// After the one before it, which needs a place among the ten of a day.
	writing('eleventhReport', [REPORTS, 'nodes/Argyle/transport/retry.ts'], async (_, own) => {
		for (let count = 0; count <= REPORTS_A_DAY; count++) {
			const { status } = await own.createReport();
			if (status < 300) continue;
			if (count === 0) throw new Undecided(`No report could be made (${status}).`, howToFill('/v2/accounts'));
			return String(status);
		}
		return 'the report';
	}),
];
