import { useFakeTime } from '../support/fakeTime.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { runNode, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';
import { useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';
import { byId, EXECUTION_ERRORS, expression, PUBLICATION_ERRORS, UNKNOWN_ID } from './errorCases.mts';

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

const SSN = '522-09-1191';
const invite = {
	resource: 'invite',
	operation: 'send',
	firstName: 'A',
	lastName: 'A',
	sendBy: 'email',
	email: 'a@x.co',
};
const ofType = { reportType: expression(SSN), userId: byId(UNKNOWN_ID), additionalFields: {}, options: {} };
const createLink = { resource: 'session', operation: 'createLink', verificationId: byId(UNKNOWN_ID) };
const address = { value: { country: SSN } };

it.each<[field: string, parameters: object]>([
	['Country', { resource: 'user', operation: 'create', additionalFields: { address } }],
	['Employers', { ...invite, additionalFields: { employers: SSN } }],
	['Redirect URL', { ...createLink, additionalFields: { redirectUrl: SSN } }],
	['Report Type of a report', { ...ofType, resource: 'report', operation: 'generate' }],
	['Report Type of a verification', { ...ofType, resource: 'verification', operation: 'order' }],
	['Social Security Number', { resource: 'user', operation: 'create', additionalFields: { ssn: `${SSN}0` } }],
	['Status', { resource: 'invite', operation: 'getAll', returnAll: true, filters: { status: expression([SSN]) } }],
])('no message repeats a social security number that stands in the field %s', async (_, parameters) => {
	const { message, description } = await failure(node.run(parameters));
	expect(`${message} ${description}`).not.toContain(SSN);
	expect(node.service.requests).toEqual([]);
});

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
