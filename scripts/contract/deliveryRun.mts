import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import type { OwnObjects } from './ownObjects.mts';
import { howToFill, type Probe } from './probe.mts';
import { Undecided } from './undecided.mts';

/** Of the subscriptions that send here: each is answered in its own way. */
export type Door = 'signed' | 'unsigned' | 'unavailable' | 'refused' | 'moved' | 'new-address' | 'report';

export interface Received {
	headers: IncomingHttpHeaders;
	body: Buffer;
	/** Milliseconds since 1970. */
	at: number;
}

export const SECRET = 'c'.repeat(64);

/** Of the time that is expected. */
export const LONGEST_RETRY = 2.5;

/** How long the first delivery may take. */
const PATIENCE_MS = 120_000;

const isDoor = (name: string): name is Door =>
	['signed', 'unsigned', 'unavailable', 'refused', 'moved', 'new-address', 'report'].includes(name);

export const signatureOf = (body: Buffer | string) => createHmac('sha512', SECRET).update(body).digest('hex');

/** What came for one event to five subscriptions, and again after the time of a retry. */
export type Deliveries = Record<Door, Received[]>;

interface DeliveryRun {
	received: Deliveries;
	/** The IDs of the subscriptions that send to the doors, and of one to which nothing is sent. */
	subscriptions: ReadonlyMap<Door | 'quiet', string>;
	/** Of whom a document was uploaded, when that could be done. */
	uploader: string | undefined;
}

async function receive(probe: Probe, own: OwnObjects): Promise<DeliveryRun> {
	const { deliveries: address, makeEvent } = probe.target;
	if (address === undefined) throw new Undecided('There is no address to deliver to.');
	const received: Deliveries = {
		signed: [],
		unsigned: [],
		unavailable: [],
		refused: [],
		moved: [],
		'new-address': [],
		report: [],
	};
	let base = address.url ?? '';
	const server = createServer(async (request, response) => {
		const door = (request.url ?? '').split('/').at(-1) ?? '';
		const body = await buffer(request);
		if (!isDoor(door)) return void response.writeHead(404).end();
		received[door].push({ headers: request.headers, body, at: Date.now() });
		const isFirst = received[door].length === 1;
		if (door === 'unavailable' && isFirst) response.writeHead(503);
		if (door === 'refused') response.writeHead(401);
		if (door === 'moved') response.writeHead(307, { Location: `${base}/new-address` });
		response.end();
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', (error) =>
			reject(new Undecided(`Nothing can be received at port ${address.port}: ${error.message}`)),
		);
		server.listen(address.port, '127.0.0.1', resolve);
	});
	const bound = server.address();
	if (base === '' && typeof bound === 'object' && bound !== null) base = `http://127.0.0.1:${bound.port}`;
	try {
		const subscriptions = new Map<Door | 'quiet', string>();
		const subscribe = async (door: Door, fields: object) =>
			subscriptions.set(door, (await own.subscription({ url: `${base}/${door}`, ...fields })).id);
		for (const door of ['signed', 'unavailable', 'refused', 'moved'] as const)
			await subscribe(door, { events: ['*'], secret: SECRET });
		await subscribe('unsigned', { events: ['*'] });
		await subscribe('report', { events: ['reports.generated'] });
		subscriptions.set('quiet', (await own.subscription()).id);
		await own.createReport();
		const uploader = await upload(probe, own);
		await (makeEvent === undefined ? simulateEvent(probe, received) : makeEvent());
		if (firsts(received).every(({ length }) => length === 0))
			throw new Undecided(`No delivery came to ${base} within ${PATIENCE_MS / 1_000} s.`, 'Check the tunnel.');
		return { received, subscriptions, uploader };
	} finally {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	}
}

/** Uploads a document of a new user, whose first account it makes. Returns the user. */
async function upload(probe: Probe, own: OwnObjects): Promise<string | undefined> {
	const user = await own.user();
	const body = new FormData();
	body.set('user', user);
	body.set('document_type', 'miscellaneous');
	body.set('upload', new Blob(['%PDF-1.4\n%%EOF\n'], { type: 'application/pdf' }), 'contract.pdf');
	const { status } = await probe.ask('POST', '/v2/user-uploads', { body });
	return status < 300 ? user : undefined;
}

const firsts = ({ signed, unsigned, unavailable, refused, moved }: Deliveries) => [
	signed,
	unsigned,
	unavailable,
	refused,
	moved,
];

/** Resolves when each door has had its first delivery, and the time for retries has passed. Throws Undecided. */
async function simulateEvent(probe: Probe, received: Deliveries): Promise<void> {
	const { retryAfterMs } = probe.target;
	await simulateNewData(probe);
	const deadline = Date.now() + PATIENCE_MS;
	while (!firsts(received).every(({ length }) => length > 0) && Date.now() < deadline) await wait(retryAfterMs / 100);
	await wait(retryAfterMs * LONGEST_RETRY);
}

/** Simulate New Data makes events of an account in Sandbox (Argyle's sandbox page). */
async function simulateNewData(probe: Probe): Promise<void> {
	const accounts = await probe.atLeast(1, '/v2/accounts');
	const account = accounts.find(({ connection }) => JSON.stringify(connection).includes('"connected"'));
	if (account === undefined) throw new Undecided('No account is connected.', howToFill('/v2/accounts'));
	const { status } = await probe.ask('POST', `/v2/accounts/${String(account.id)}/periodic-scan`);
	if (status >= 300)
		throw new Undecided(`Simulate New Data answered ${status}.`, 'Submit a form in Link while this waits.');
}

const runs = new WeakMap<Probe, Promise<DeliveryRun>>();

/** The deliveries of a run, received once. Throws Undecided. */
export async function deliveryRun(probe: Probe, own: OwnObjects): Promise<DeliveryRun> {
	const run = runs.get(probe) ?? receive(probe, own);
	runs.set(probe, run);
	return await run;
}

/** What came to the doors of a run. Throws Undecided. */
export async function deliveriesOf(probe: Probe, own: OwnObjects): Promise<Deliveries> {
	return (await deliveryRun(probe, own)).received;
}
