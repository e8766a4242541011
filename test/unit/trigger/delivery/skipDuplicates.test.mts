import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express, { type Response } from 'express';
import { deduplicationKey, DeliveryDeduplicator } from '../../../../nodes/Argyle/trigger/delivery/skipDuplicates';
import { clock } from '../../../../nodes/Argyle/utils/clock';
import { advance, useFakeTime } from '../../../support/fakeTime.mts';

/** The Express response of a webhook call, not sent yet. */
function createResponse(): Response {
	return Object.setPrototypeOf(new ServerResponse(new IncomingMessage(new Socket())), express.response);
}

/** Sends the response, as n8n does once it has stored the execution or failed to. */
function send(response: Response, status: number): void {
	response.statusCode = status;
	response.end();
	response.emit('close');
}

/** Claims as a call that has just arrived. */
const claim = async (deduplicator: DeliveryDeduplicator, key: string, response: Response) =>
	await deduplicator.claim(key, response, Date.now() + 8_000);

beforeEach(() => useFakeTime());
afterEach(() => jest.restoreAllMocks());

it('deduplicationKey is equal for the data of one event, whatever the subscription is named', () => {
	const data = { account: 'a', user: 'u' };
	const key = (trigger: string, event: string, more: object = {}, name = 'n') =>
		deduplicationKey(trigger, { event, name, data: { ...data, ...more } });
	expect(key('t', 'accounts.updated')).toBe(key('t', 'accounts.updated', {}, 'Renamed'));
	const keys = [
		key('t', 'accounts.updated'),
		key('other', 'accounts.updated'),
		key('t', 'accounts.added'),
		key('t', 'accounts.updated', { user: 'v' }),
	];
	expect(new Set(keys).size).toBe(keys.length);
});

describe('DeliveryDeduplicator', () => {
	it('reports an equal delivery as a duplicate for two minutes', async () => {
		const deduplicator = new DeliveryDeduplicator();
		const first = createResponse();
		expect(await claim(deduplicator, 'k', first)).toBe('new');
		send(first, 200);
		advance(119_000);
		expect(await claim(deduplicator, 'k', createResponse())).toBe('duplicate');
		advance(2_000);
		expect(await claim(deduplicator, 'k', createResponse())).toBe('new');
	});

	it('accepts an equal delivery after the clock was set back, which would make two minutes an hour', async () => {
		const deduplicator = new DeliveryDeduplicator();
		const first = createResponse();
		await claim(deduplicator, 'k', first);
		send(first, 200);
		advance(-3_600_000);
		expect(await claim(deduplicator, 'k', createResponse())).toBe('new');
	});

	it('reports a duplicate of a delivery that is stored and whose answer is still being sent', async () => {
		const deduplicator = new DeliveryDeduplicator();
		const first = createResponse();
		await claim(deduplicator, 'k', first);
		first.end();
		expect(await claim(deduplicator, 'k', createResponse())).toBe('duplicate');
	});

	it('accepts a delivery again whose failure is still being sent', async () => {
		const deduplicator = new DeliveryDeduplicator();
		const first = createResponse();
		await claim(deduplicator, 'k', first);
		first.statusCode = 500;
		first.end();
		expect(await claim(deduplicator, 'k', createResponse())).toBe('new');
	});

	it('a delivery whose caller hung up counts once n8n has stored it, until two minutes are over', async () => {
		const deduplicator = new DeliveryDeduplicator();
		const first = createResponse();
		await claim(deduplicator, 'k', first);
		first.destroy();
		first.emit('close');
		expect(await claim(deduplicator, 'k', createResponse())).toBe('pending');
		first.statusCode = 200;
		first.end();
		expect(await claim(deduplicator, 'k', createResponse())).toBe('duplicate');
		advance(121_000);
		expect(await claim(deduplicator, 'k', createResponse())).toBe('new');
	});

	it('the late end of a forgotten delivery does not forget the one that took its place', async () => {
		const deduplicator = new DeliveryDeduplicator();
		const [first, second] = [createResponse(), createResponse()];
		await claim(deduplicator, 'k', first);
		advance(121_000);
		await claim(deduplicator, 'k', second);
		send(second, 200);
		send(first, 500);
		expect(await claim(deduplicator, 'k', createResponse())).toBe('duplicate');
	});

	it('waits 8 s for an equal delivery in progress, then reports it as pending', async () => {
		const deduplicator = new DeliveryDeduplicator();
		await claim(deduplicator, 'k', createResponse());
		const before = Date.now();
		expect(await claim(deduplicator, 'k', createResponse())).toBe('pending');
		expect(Date.now() - before).toBeGreaterThanOrEqual(8_000);
		expect(Date.now() - before).toBeLessThan(9_000);
	});

	it('waits once for an equal delivery whose caller was gone before it was claimed', async () => {
		const waits = useFakeTime();
		const deduplicator = new DeliveryDeduplicator();
		const first = createResponse();
		first.destroy();
		await claim(deduplicator, 'k', first);
		// A wait that ends early: the caller is gone all the same.
		jest.spyOn(clock, 'pause').mockImplementation(async (ms) => void waits.push(ms));
		expect(await claim(deduplicator, 'k', createResponse())).toBe('pending');
		expect(waits).toHaveLength(1);
	});

	it.each([500, 404])('accepts a delivery again after HTTP %i', async (status) => {
		const deduplicator = new DeliveryDeduplicator();
		const first = createResponse();
		await claim(deduplicator, 'k', first);
		send(first, status);
		expect(await claim(deduplicator, 'k', createResponse())).toBe('new');
	});

	it('remembers 10,000 deliveries and forgets the oldest first', async () => {
		const deduplicator = new DeliveryDeduplicator();
		for (let index = 0; index <= 10_000; index++) {
			const current = createResponse();
			await claim(deduplicator, String(index), current);
			send(current, 200);
		}
		expect(await claim(deduplicator, '1', createResponse())).toBe('duplicate');
		expect(await claim(deduplicator, '0', createResponse())).toBe('new');
	});
});
