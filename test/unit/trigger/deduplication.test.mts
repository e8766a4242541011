import { ServerResponse, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import express, { type Response } from 'express';
import {
	deduplicationKey,
	deduplicationWindowMs,
	DeliveryDeduplicator,
} from '../../../nodes/Argyle/trigger/deduplication';
import { useFakeTime, advance } from '../../support/fakeTime.mts';

/** A response as n8n holds it, not answered yet. */
function response(): Response {
	return Object.setPrototypeOf(new ServerResponse(new IncomingMessage(new Socket())), express.response);
}

/** Answers, as n8n does when it has stored the execution or could not. */
async function answer(to: Response, status: number): Promise<void> {
	to.statusCode = status;
	const finished = new Promise((resolve) => to.once('finish', resolve));
	to.end();
	to.emit('finish');
	await finished;
}

const message = (event: string, data: Record<string, string>) => ({ event, name: 'n', data });
const DAY = 86_400_000;

beforeEach(() => useFakeTime());
afterEach(() => jest.restoreAllMocks());

describe('deliveryKey', () => {
	const key = (event: string, data: Record<string, string>, trigger = 't') =>
		deduplicationKey(trigger, message(event, data));

	it('knows a form by its id, and every other event by all it says', () => {
		expect(key('user_forms.submitted', { user_form: 'f', user: 'u' })).toBe(
			key('user_forms.submitted', { user_form: 'f', user: 'v' }),
		);
		expect(key('accounts.updated', { account: 'a', user: 'u' })).not.toBe(
			key('accounts.updated', { account: 'a', user: 'v' }),
		);
	});

	it('tells events, forms and triggers apart', () => {
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

it('a form counts for a day, everything else for two minutes', () => {
	expect(deduplicationWindowMs(message('user_forms.submitted', {}))).toBe(DAY);
	expect(deduplicationWindowMs(message('accounts.updated', {}))).toBe(120_000);
});

describe('TakenDeliveries', () => {
	it('knows what was taken until its time is over', async () => {
		const taken = new DeliveryDeduplicator();
		const first = response();
		expect(await taken.claim('k', first, 60_000)).toBe('new');
		await answer(first, 200);
		advance(59_000);
		expect(await taken.claim('k', response(), 60_000)).toBe('duplicate');
		advance(2_000);
		expect(await taken.claim('k', response(), 60_000)).toBe('new');
	});

	it('takes a stored one for taken although its caller was gone before the answer', async () => {
		const taken = new DeliveryDeduplicator();
		const first = response();
		await taken.claim('k', first, DAY);
		first.emit('close');
		first.end();
		expect(await taken.claim('k', response(), DAY)).toBe('duplicate');
	});

	it('waits 8 s for one that is under way, and not longer', async () => {
		const taken = new DeliveryDeduplicator();
		await taken.claim('k', response(), DAY);
		const before = Date.now();
		expect(await taken.claim('k', response(), DAY)).toBe('pending');
		expect(Date.now() - before).toBeGreaterThanOrEqual(8_000);
		expect(Date.now() - before).toBeLessThan(9_000);
	});

	it('does not wait for one whose caller is gone and that is still not stored', async () => {
		const taken = new DeliveryDeduplicator();
		const first = response();
		await taken.claim('k', first, DAY);
		first.destroy();
		expect(await taken.claim('k', response(), DAY)).toBe('pending');
	});

	it.each([500, 404])('forgets one that was answered %i', async (status) => {
		const taken = new DeliveryDeduplicator();
		const first = response();
		await taken.claim('k', first, DAY);
		await answer(first, status);
		expect(await taken.claim('k', response(), DAY)).toBe('new');
	});

	it('remembers ten thousand, and forgets the oldest first', async () => {
		const taken = new DeliveryDeduplicator();
		for (let index = 0; index <= 10_000; index++) {
			const each = response();
			await taken.claim(String(index), each, DAY);
			each.end();
			each.emit('finish');
		}
		expect(await taken.claim('1', response(), DAY)).toBe('duplicate');
		expect(await taken.claim('0', response(), DAY)).toBe('new');
	});
});
