import { advance, dropPackets, elapsed, useFakeTime } from '../support/fakeTime.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';

const trigger = useTriggerFixture();
beforeEach(() => {
	// A slow machine takes nothing from the seconds in which a call is tried again.
	const now = Date.now();
	useFakeTime(() => now);
});

describe('trigger during an outage', () => {
	it.each(['create', 'trigger'])('%s tries for 5 s, because n8n itself tries five times', async (call) => {
		trigger.credential = { ...trigger.credential, baseUrl: 'https://argyle.invalid' };
		trigger.parameters = { ...trigger.parameters, receiveBy: call === 'create' ? 'webhook' : 'polling' };
		const error = await failure(call === 'create' ? trigger.runHook('create') : trigger.runTrigger());
		expect(error.message).toMatch(/^Argyle could not be reached at /);
		expect(elapsed()).toBeLessThanOrEqual(5_000);
	});

	it.each([
		['429 three times', { kind: 'status', status: 429, headers: { 'Retry-After': '1' }, times: 3 } as const],
		['500', { kind: 'status', status: 500 } as const],
		['a cut connection', { kind: 'drop' } as const],
		['an HTML page', { kind: 'html' } as const],
	])('activation retries %s at each of its requests', async (_, fault) => {
		const old = trigger.foreignSubscription({ url: trigger.url, events: ['accounts.added'] });
		for (const method of ['GET', 'POST', 'DELETE']) trigger.service.addFault({ ...fault, method });
		await trigger.activate();
		expect(trigger.ownSubscriptions()).toHaveLength(1);
		expect(trigger.service.subscriptions.has(old.id)).toBe(false);
		expect(trigger.state.boundTo).toBe(trigger.ownSubscriptions()[0]?.id);
	});

	it.each(['20', '3600'])(
		'checkExists and create end within 84 s, which n8n leaves them, when each answer is 429 with Retry-After %s',
		async (retryAfter) => {
			const headers = { 'Retry-After': retryAfter };
			trigger.service.addFault({ kind: 'status', status: 429, headers, times: Infinity });
			expect((await failure(trigger.activate())).message).toMatch(/^Argyle received too many requests at once/);
			expect(elapsed()).toBeLessThan(84_000);
		},
	);

	it('all five tries of n8n end within 80 s when no answer comes, of the 84 s after which n8n shows no word of ours', async () => {
		dropPackets();
		for (const pause of [1_000, 2_000, 4_000, 8_000, 0]) {
			expect((await failure(trigger.activate())).message).toContain('It did not answer in time.');
			await trigger.runHook('delete');
			advance(pause);
		}
		expect(elapsed()).toBeLessThan(80_000);
	});

	it('after create used up the retries, create and delete try once, so that n8n shows our error', async () => {
		trigger.service.addFault({ kind: 'drop', times: Infinity });
		await failure(trigger.runHook('create'));
		const before = elapsed();
		trigger.service.requests.length = 0;
		expect((await failure(trigger.runHook('create'))).message).toContain('could not be reached');
		expect(await trigger.runHook('delete')).toBe(true);
		expect([trigger.service.requests.length, elapsed() - before]).toEqual([2, 0]);
	});

	it("n8n's three tries to delete a known subscription outlast an outage of a minute", async () => {
		await trigger.activate();
		const back = Date.now() + 60_000;
		jest
			.spyOn(trigger.service.faults, 'take')
			.mockImplementation(() => (Date.now() < back ? { kind: 'drop' } : undefined));
		for (const pause of [1_000, 2_000]) {
			await trigger.runHook('delete').catch(() => undefined);
			advance(pause);
		}
		expect(await trigger.runHook('delete')).toBe(true);
		expect(trigger.ownSubscriptions()).toEqual([]);
	});

	it('three tries to delete a known subscription end within 84 s when no answer comes', async () => {
		await trigger.activate();
		dropPackets();
		for (const pause of [1_000, 2_000, 0]) {
			await failure(trigger.runHook('delete'));
			advance(pause);
		}
		expect(elapsed()).toBeLessThan(84_000);
	});

	it('delete with nothing known tries for 5 s only, and does not fail', async () => {
		trigger.service.addFault({ kind: 'drop', times: Infinity });
		expect(await trigger.runHook('delete')).toBe(true);
		expect(elapsed()).toBeLessThanOrEqual(5_000);
		expect(trigger.warnings).toEqual([expect.stringContaining('could not be asked')]);
	});

	it.each<[string, () => unknown, string, number]>([
		['finds Argyle unreachable', async () => await trigger.service.stop(), 'The connection was refused.', 20_000],
		['gets no answer', dropPackets, 'It did not answer in time.', 30_000],
	])('a test that %s fails soon, the clean-up included, which stays silent', async (_, happen, words, ms) => {
		trigger.isTest = true;
		await happen();
		expect((await failure(trigger.activate())).message).toContain(words);
		expect(await trigger.runHook('delete')).toBe(true);
		expect(elapsed()).toBeLessThan(ms);
	});

	it('a test that ends while Argyle is away says so in the log only, within 20 s, and the next one tidies up', async () => {
		trigger.isTest = true;
		await trigger.activate();
		trigger.service.addFault({ kind: 'drop', times: Infinity });
		expect(await trigger.runHook('delete')).toBe(true);
		expect(elapsed()).toBeLessThan(20_000);
		expect(trigger.warnings).toEqual([expect.stringContaining('of a test could not be removed')]);
		trigger.service.clearFaults();
		await trigger.activate();
		expect(trigger.ownSubscriptions()).toHaveLength(1);
	});

	it('create retries for 15 s only while a person listens for a test event', async () => {
		trigger.isTest = true;
		trigger.service.addFault({ kind: 'drop', times: Infinity });
		const { message } = await failure(trigger.runHook('create'));
		expect(message).toMatch(/Tried \d+ times in 15 s/);
	});
});

describe('trigger whose create request got no response', () => {
	it('delete removes the duplicate that a lost create request made later', async () => {
		trigger.service.addFault({ kind: 'drop', method: 'POST' });
		await trigger.activate();
		trigger.foreignSubscription({ ...trigger.ownSubscriptions()[0], id: 'late' });
		await trigger.runHook('delete');
		expect(trigger.ownSubscriptions()).toHaveLength(0);
	});

	it('create finds what it made when its retries end with a lost response', async () => {
		trigger.service.addFault({ kind: 'dropAfterCommit', method: 'POST' });
		trigger.service.onCreated = async () => advance(120_000);
		await trigger.runHook('create');
		expect(trigger.requestCount('POST')).toBe(1);
		expect(trigger.state.boundTo).toBe(trigger.ownSubscriptions()[0]?.id);
	});

	it('the next activation removes what a create made whose retries ended before it could be looked up', async () => {
		// The create is carried out without a response, and every later request fails until the retries end.
		jest.spyOn(trigger.service.faults, 'take').mockImplementation((method) => {
			if (method === 'POST') return { kind: 'dropAfterCommit' };
			return trigger.requestCount('POST') > 0 ? { kind: 'drop' } : undefined;
		});
		await failure(trigger.runHook('create'));
		expect(trigger.ownSubscriptions()).toHaveLength(1);
		jest.mocked(trigger.service.faults.take).mockReturnValue(undefined);
		await trigger.activate();
		expect(trigger.ownSubscriptions()).toHaveLength(1);
		expect(trigger.state.boundTo).toBe(trigger.ownSubscriptions()[0]?.id);
	});
});

describe('trigger that is published', () => {
	it.each(['activate', 'update'] as const)('publishing again (%s) costs a DELETE and a POST', async (mode) => {
		await trigger.activate();
		trigger.service.requests.length = 0;
		trigger.activationMode = mode;
		await trigger.runHook('delete');
		await trigger.activate();
		expect(trigger.service.requests.map(({ method }) => method)).toEqual(['DELETE', 'POST']);
	});
});
