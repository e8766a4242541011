import { advance, useFakeTime } from '../support/fakeTime.mts';
import { useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';

const trigger = useTriggerFixture();

it('a smoke test', async () => {
	await trigger.activate();
	expect(trigger.state).toMatchObject({ registered: { url: trigger.url }, bookmark: expect.any(String) });
	const { form } = trigger.service.storeForm({ createdAt: new Date(Date.now() + 10).toISOString() });
	trigger.restart();
	trigger.activationMode = 'init';
	expect(await trigger.runHook('checkExists')).toBe(true);
	const waits = useFakeTime();
	advance(200_000);
	const close = await trigger.runTrigger();
	for (let i = 0; i < 300 && trigger.emitted.length === 0; i++) await new Promise((r) => setTimeout(r, 10));
	await close();
	console.log(waits.length, trigger.emitted, trigger.service.requests.map((r) => `${r.method} ${r.path} ${r.status}`).slice(0,8), trigger.failedExecutions);
	const output = await trigger.runExecute(trigger.emitted.map(({ json }) => ({ json })), 'trigger');
	expect(output).toHaveLength(1);
	expect(await trigger.runExecute(trigger.emitted.map(({ json }) => ({ json })), 'trigger')).toEqual([]);
	console.log(JSON.stringify(trigger.state), output[0]?.json, form.id);
	const result = await trigger.deliver('{"event":"user_forms.submitted","data":{"user_form":"x"}}');
	expect(result.status).toBe(200);
});
