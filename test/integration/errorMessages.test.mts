import { useFakeTime } from '../support/fakeTime.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { runNode, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';
import { useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';
import { EXECUTION_ERRORS, PUBLICATION_ERRORS } from './errorCases.mts';

const node = useNodeFixture();
const trigger = useTriggerFixture();
beforeEach(() => void useFakeTime());

it.each(EXECUTION_ERRORS)(
	'an execution says "$message", and what to do about it',
	async ({ message, advice, parameters, input = {}, fault = [], credential }) => {
		for (const each of [fault].flat()) node.service.addFault(each);
		const run = runNode({ ...node.credential, ...credential }, parameters, { items: [{ json: { ...input } }] });
		const error = await failure(run);
		expect(error.message).toContain(message);
		expect(error.description).toContain(advice);
	},
);

it.each(PUBLICATION_ERRORS)(
	'a publish says "$message", and what to do about it',
	async ({ message, advice, parameters, credential }) => {
		trigger.credential = { ...trigger.credential, ...credential };
		trigger.parameters = { ...trigger.parameters, ...parameters };
		const { message: shown, description } = await failure(trigger.activate());
		expect(`${shown} ${description}`).toContain(message);
		expect(`${shown} ${description}`).toContain(advice);
	},
);
