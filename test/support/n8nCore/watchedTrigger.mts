import type { IDataObject } from 'n8n-workflow';
import { advance, SteppedTime } from '../fakeTime.mts';
import { useTriggerFixture } from './triggerFixture.mts';

/** A trigger in each test of the file, published unless the test does that, whose watch looks when the test says so. */
export function useWatchedTrigger({ isPublished = true } = {}) {
	const trigger = useTriggerFixture();
	let time: SteppedTime;
	const watches: Array<() => Promise<void>> = [];

	beforeEach(async () => {
		if (isPublished) await trigger.activate();
		time = new SteppedTime();
	});
	afterEach(close);

	async function close(): Promise<void> {
		for (const closeWatch of watches.splice(0)) await closeWatch();
	}

	/** Resolves before the first look. */
	async function startWatch(): Promise<void> {
		const firstDelay = time.next();
		watches.push(await trigger.runTrigger());
		expect(await firstDelay).toBeLessThan(10_000);
	}

	/** Has the watch look, and resolves with the milliseconds until it looks again, once all executions have ended. */
	async function nextLook(): Promise<number> {
		const delay = await time.next();
		await trigger.untilExecuted();
		return delay;
	}

	/** Starts n8n anew, after the trigger was not looked after for a while. */
	async function startAfter(ms: number): Promise<void> {
		await close();
		advance(ms);
		trigger.restart();
		trigger.activationMode = 'init';
		// While the trigger checks for events, n8n has no webhook of it.
		if (trigger.parameters.receiveBy !== 'polling') expect(await trigger.runHook('checkExists')).toBe(true);
		await startWatch();
	}

	/** Has the watch look so many times. */
	async function looks(count: number): Promise<void> {
		for (let look = 0; look < count; look++) await nextLook();
	}

	return {
		trigger,
		startWatch,
		close,
		nextLook,
		looks,
		startAfter,
		/** As `startAfter`, until the watch has looked so many times. */
		async lookAfter(ms: number, count = 1): Promise<void> {
			await startAfter(ms);
			await looks(count);
		},
		/** Publishes the trigger again with other settings: a change at once, and an unpublished one after six minutes. */
		async publish(parameters: IDataObject, activationMode: 'activate' | 'update' = 'activate'): Promise<void> {
			await close();
			await trigger.runHook('delete');
			if (activationMode === 'activate') advance(360_000);
			Object.assign(trigger, { activationMode, parameters: { ...trigger.parameters, ...parameters } });
			await trigger.activate();
		},
		/** n8n is killed before it runs the executions of its next look, and is started again. */
		async killAfterLook(): Promise<void> {
			trigger.executions = 'wait';
			await nextLook();
			trigger.executions = 'run';
			trigger.emitted.length = 0;
			await startAfter(0);
		},
		/** A form that is submitted now, or `ageMs` ago, and not delivered. Returns its ID. */
		missForm: (ageMs = 0) =>
			trigger.service.storeForm({ createdAt: new Date(Date.now() - ageMs).toISOString() }).form.id,
	};
}
