import { randomUUID } from 'node:crypto';
import { ExecuteContext } from 'n8n-core';
import { createEmptyRunExecutionData, type IDataObject } from 'n8n-workflow';
import { useFakeTime } from '../support/fakeTime.mts';
import { receiptParameters, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';
import { useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';

const trigger = useTriggerFixture();
const node = useNodeFixture();

const form = randomUUID();
const account = randomUUID();
const user = randomUUID();
const submitted: IDataObject = { event: 'user_forms.submitted', name: 'n', data: { account, user, user_form: form } };

/** What *Executions* can be filtered by after the trigger's execution of these events. */
async function labelsOf(...events: IDataObject[]): Promise<unknown> {
	const executionData = createEmptyRunExecutionData();
	await trigger.runExecute(
		events.map((json) => ({ json })),
		'webhook',
		executionData,
	);
	return executionData.resultData.metadata;
}

describe("n8n's execution data, by which people filter executions", () => {
	it('holds the form, user and account of a submitted form, and the event', async () => {
		expect(await labelsOf(submitted)).toEqual({
			argyle_event: 'user_forms.submitted',
			argyle_user: user,
			argyle_account: account,
			argyle_user_form: form,
		});
	});

	it('holds nothing for a form that started the workflow before', async () => {
		await labelsOf(submitted);
		expect(await labelsOf(submitted)).toBeUndefined();
	});

	it('holds nothing personal of an event, even in place of an ID', async () => {
		const data = { user: 'Bob Jones', account, ssn: '522-09-1192' };
		expect(await labelsOf({ event: 'accounts.added', data })).toEqual({
			argyle_event: 'accounts.added',
			argyle_account: account,
		});
	});

	it('holds the same in an n8n that has execution data for expressions only', async () => {
		Object.defineProperty(ExecuteContext.prototype, 'customData', { value: undefined, configurable: true });
		expect(await labelsOf(submitted)).toMatchObject({ argyle_user: user });
		Reflect.deleteProperty(ExecuteContext.prototype, 'customData');
	});

	it('holds the users of receipts beside the user of the form, as many as n8n keeps', async () => {
		useFakeTime();
		const executionData = createEmptyRunExecutionData();
		const users = [user, user, ...Array.from({ length: 20 }, () => randomUUID())];
		const items = users.map((id) => ({ json: { id } }));
		const parameters = receiptParameters('={{ $json.id }}');
		await node.run(parameters, { items, continueOnFail: true, executionData });
		expect(executionData.resultData.metadata).toEqual({ argyle_user: users.slice(1, 14).join(' ') });
	});
});
