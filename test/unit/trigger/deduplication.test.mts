import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express, { type Response } from 'express';
import {
	deduplicationKey,
	deduplicationWindowMs,
	DeliveryDeduplicator,
} from '../../../nodes/Argyle/trigger/deduplication';
import { advance, useFakeTime } from '../../support/fakeTime.mts';

/** The Express response of a webhook call, not sent yet. */
function createResponse(): Response {
	return Object.setPrototypeOf(new ServerResponse(new IncomingMessage(new Socket())), express.response);
}

/** Sends the response, as n8n does once it has stored the execution or failed to. */
async function send(response: Response, status: number): Promise<void> {
	response.statusCode = status;
	const finished = new Promise((resolve) => response.once('finish', resolve));
	response.end();
	response.emit('finish');
	await finished;
}

const message = (event: string, data: Record<string, string>) => ({ event, name: 'n', data });
const DAY = 86_400_000;

beforeEach(() => useFakeTime());
afterEach(() => jest.restoreAllMocks());

describe('deduplicationKey', () => {
	const key = (event: string, data: Record<string, string>, trigger = 't') =>
		deduplicationKey(trigger, message(event, data));

	it('identifies a user form event by its form id, and every other event by all its data', () => {
		expect(key('user_forms.submitted', { user_form: 'f', user: 'u' })).toBe(
			key('user_forms.submitted', { user_form: 'f', user: 'v' }),
		);
		expect(key('accounts.updated', { account: 'a', user: 'u' })).not.toBe(
			key('accounts.updated', { account: 'a', user: 'v' }),
		);
	});

	it('has another key for another event, user form or trigger', () => {
		const keys = [
			key('user_forms.submitted', { user_form: 'f' }),
			key('user_forms.submitted', { user_form: 'g' }),
			key('user_forms.removed', { user_form: 'f' }),
			key('user_forms.submitted', { user_form: 'f' }, 'other'),
			key('user_forms.submitted', {}),
		];
		expect(new Set(keys).size).toBe(keys.length);
	});
});

it('deduplicationWindowMs is a day for user form events and two minutes for all others', () => {
	expect(deduplicationWindowMs(message('user_forms.submitted', {}))).toBe(DAY);
	expect(deduplicationWindowMs(message('accounts.updated', {}))).toBe(120_000);
});

describe('DeliveryDeduplicator', () => {
	it('reports an equal delivery as a duplicate until the window is over', async () => {
		const deduplicator = new DeliveryDeduplicator();
		const first = createResponse();
		expect(await deduplicator.claim('k', first, 60_000)).toBe('new');
		await send(first, 200);
		advance(59_000);
		expect(await deduplicator.claim('k', createResponse(), 60_000)).toBe('duplicate');
		advance(2_000);
		expect(await deduplicator.claim('k', createResponse(), 60_000)).toBe('new');
	});

	it('reports a duplicate of a stored delivery whose caller disconnected before the response', async () => {
		const deduplicator = new DeliveryDeduplicator();
		const first = createResponse();
		await deduplicator.claim('k', first, DAY);
		first.emit('close');
		first.end();
		expect(await deduplicator.claim('k', createResponse(), DAY)).toBe('duplicate');
	});

	it('waits 8 s for an equal delivery in progress, then reports it as pending', async () => {
		const deduplicator = new DeliveryDeduplicator();
		await deduplicator.claim('k', createResponse(), DAY);
		const before = Date.now();
		expect(await deduplicator.claim('k', createResponse(), DAY)).toBe('pending');
		expect(Date.now() - before).toBeGreaterThanOrEqual(8_000);
		expect(Date.now() - before).toBeLessThan(9_000);
	});

	it('does not wait for an equal delivery whose caller disconnected before it was stored', async () => {
		const deduplicator = new DeliveryDeduplicator();
		const first = createResponse();
		await deduplicator.claim('k', first, DAY);
		first.destroy();
		expect(await deduplicator.claim('k', createResponse(), DAY)).toBe('pending');
	});

	it.each([500, 404])('accepts a delivery again after HTTP %i', async (status) => {
		const deduplicator = new DeliveryDeduplicator();
		const first = createResponse();
		await deduplicator.claim('k', first, DAY);
		await send(first, status);
		expect(await deduplicator.claim('k', createResponse(), DAY)).toBe('new');
	});

	it('remembers 10,000 deliveries and forgets the oldest first', async () => {
		const deduplicator = new DeliveryDeduplicator();
		for (let index = 0; index <= 10_000; index++) {
			const current = createResponse();
			await deduplicator.claim(String(index), current, DAY);
			current.end();
			current.emit('finish');
		}
		expect(await deduplicator.claim('1', createResponse(), DAY)).toBe('duplicate');
		expect(await deduplicator.claim('0', createResponse(), DAY)).toBe('new');
	});
});
