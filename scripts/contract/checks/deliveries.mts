import type { IncomingHttpHeaders } from 'node:http';
import { isJson } from '../../../test/support/json.mts';
import { type Check, checksThatNeed } from '../check.mts';
import { deliveriesOf, deliveryRun, type Door, LONGEST_RETRY, type Received, signatureOf } from '../deliveryRun.mts';
import type { OwnObjects } from '../ownObjects.mts';
import type { Probe } from '../probe.mts';
import { Undecided } from '../undecided.mts';

const receiving = checksThatNeed('deliveries');

const DELIVERY = 'nodes/Argyle/api/delivery.ts';
const WEBHOOK = 'nodes/Argyle/trigger/webhook.ts';

/** Of every recorded delivery, and what proxies on the way add. */
const KNOWN_HEADERS =
	/^(accept|accept-encoding|connection|content-length|content-type|host|user-agent|x-argyle-signature|x-forwarded-.*|x-real-ip|forwarded|via|cf-.*|cdn-loop|traceparent|tracestate)$/;

async function first(probe: Probe, own: OwnObjects, door: Door): Promise<Received> {
	const [received] = (await deliveriesOf(probe, own))[door];
	if (received === undefined) throw new Undecided('No such delivery came.');
	return received;
}

/**
 * Whether the first delivery to a door came again. Bytes are compared, and what comes at once is no retry: of one
 * moment there are several events, also with the same bytes.
 */
async function again(probe: Probe, own: OwnObjects, door: Door): Promise<Received | undefined> {
	const [received, ...others] = (await deliveriesOf(probe, own))[door];
	if (received === undefined) throw new Undecided('No such delivery came.');
	const earliest = received.at + probe.target.retryAfterMs / LONGEST_RETRY;
	return others.find(({ at, body }) => at >= earliest && body.equals(received.body));
}

/** The names of the events of the user for whom the run has uploaded a document. */
async function eventsOfUpload(probe: Probe, own: OwnObjects): Promise<unknown[]> {
	const { received, uploader } = await deliveryRun(probe, own);
	if (uploader === undefined) throw new Undecided('No document could be uploaded.');
	const events = received.signed.map(({ body }): unknown => JSON.parse(body.toString())).filter(isJson);
	return events.filter(({ data }) => isJson(data) && data.user === uploader).map(({ event }) => event);
}

const unknownHeaders = (headers: IncomingHttpHeaders) =>
	Object.keys(headers).filter((name) => !KNOWN_HEADERS.test(name));

export const DELIVERY_CHECKS: Check[] = [
	receiving('signature', [DELIVERY, 'nodes/Argyle/trigger/delivery/authentication.ts'], async (probe, own) => {
		const { headers, body } = await first(probe, own, 'signed');
		const isRight = headers['x-argyle-signature'] === signatureOf(body);
		return isRight ? 'HMAC-SHA512 of its bytes, in lower-case hex' : 'something else';
	}),
	receiving('signatureWithoutSecret', [DELIVERY], async (probe, own) =>
		(await first(probe, own, 'unsigned')).headers['x-argyle-signature'] === undefined ? 'no' : 'yes',
	),
	receiving('indentation', [DELIVERY, 'nodes/Argyle/resources/webhook/verifyDelivery.ts'], async (probe, own) => {
		const text = (await first(probe, own, 'signed')).body.toString();
		const value: unknown = JSON.parse(text);
		if (text === JSON.stringify(value, null, 2)) return 'indented by two blanks';
		return text === JSON.stringify(value) ? 'in one line' : 'otherwise';
	}),
	receiving('deliveryHeaders', ['nodes/Argyle/trigger/delivery/skipDuplicates.ts'], async (probe, own) => {
		const names = unknownHeaders((await first(probe, own, 'signed')).headers);
		return names.length === 0 ? 'no' : 'yes';
	}),
	receiving('retryAfter503', [WEBHOOK, 'nodes/Argyle/trigger/state/timing.ts'], async (probe, own) => {
		const repeat = await again(probe, own, 'unavailable');
		return repeat === undefined ? 'nothing' : 'the same bytes once more, after 30 s';
	}),
	receiving('retryAfter401', [WEBHOOK], async (probe, own) =>
		(await again(probe, own, 'refused')) === undefined ? 'nothing' : 'the same bytes once more',
	),
	receiving('redirectOfDelivery', ['nodes/Argyle/shared/publicUrl.ts'], async (probe, own) => {
		await first(probe, own, 'moved');
		return (await deliveriesOf(probe, own))['new-address'].length === 0 ? 'no' : 'yes';
	}),
	receiving('eventOfUpload', ['nodes/Argyle/api/eventSources.ts'], async (probe, own) =>
		(await eventsOfUpload(probe, own)).includes('user_uploads.added') ? 'yes' : 'no',
	),
	receiving('addedByUpload', ['nodes/Argyle/api/events.ts'], async (probe, own) => {
		const ofUpload = await eventsOfUpload(probe, own);
		if (!ofUpload.includes('user_uploads.added')) throw new Undecided('No uploaded document was reported.');
		return ofUpload.includes('accounts.added') ? 'yes' : 'no';
	}),
];
