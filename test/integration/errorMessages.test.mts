import { useFakeTime } from '../support/fakeTime.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { inviteParameters, runNode, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';
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
const ofType = { reportType: expression(SSN), userId: byId(UNKNOWN_ID), additionalFields: {}, options: {} };
const createLink = { resource: 'session', operation: 'createLink', verificationId: byId(UNKNOWN_ID) };
const address = { value: { country: SSN } };

it.each<[field: string, parameters: object]>([
	['Country', { resource: 'user', operation: 'create', additionalFields: { address } }],
	['Employers', inviteParameters('a@x.co', { additionalFields: { employers: SSN } })],
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

const MAYBE = expression('maybe');
const getUsers = { resource: 'user', operation: 'getAll' };

it.each<[name: string, parameters: object]>([
	['Return All', { ...getUsers, returnAll: MAYBE }],
	['Simplify', { ...getUsers, simplify: MAYBE }],
	['Include Sensitive Data', { ...getUsers, options: { includeSensitive: MAYBE } }],
	['Mobile App', { ...createLink, additionalFields: { mobileApp: MAYBE } }],
])('%s whose expression makes it neither on nor off is refused before anything is sent', async (name, parameters) => {
	expect(await node.refusalOf(node.run(parameters))).toBe(`${name} is neither on nor off [item 0]`);
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
