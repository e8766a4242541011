import { ExpressionError, OperationalError, UserError } from 'n8n-workflow';
import { ArgyleError, asArgyleError, undefinedWhenNotFound } from '../../../nodes/Argyle/transport/errors';

describe('ArgyleError', () => {
	it('ArgyleError has a name, and no details unless given', () => {
		const error = new ArgyleError('what', 'why');
		expect(error).toMatchObject({ name: 'ArgyleError', message: 'what', description: 'why' });
		expect(error.details).toEqual({});
	});

	it('fullMessage says what happened and what to do, for where n8n shows a message and nothing else', () =>
		expect(new ArgyleError('It failed', 'Try again.').fullMessage).toBe('It failed. Try again.'));

	it('withRetrySummary adds tries and seconds once, and nothing after a single try', () => {
		const error = new ArgyleError('what', 'why', { statusCode: 503 });
		expect(error.withRetrySummary(1, 9_000)).toBe(error);
		const summarized = error.withRetrySummary(3, 8_700);
		expect(summarized).toMatchObject({ message: 'what', description: 'why Tried 3 times in 9 s.' });
		expect(summarized.details.statusCode).toBe(503);
		expect(summarized.withRetrySummary(5, 20_000)).toBe(summarized);
	});
});

it('undefinedWhenNotFound swallows only an ArgyleError with status 404', () => {
	expect(undefinedWhenNotFound(new ArgyleError('', '', { statusCode: 404 }))).toBeUndefined();
	const gone = new ArgyleError('', '', { statusCode: 410 });
	expect(() => undefinedWhenNotFound(gone)).toThrow(gone);
	const foreign = { statusCode: 404 };
	expect(() => undefinedWhenNotFound(foreign)).toThrow();
});

it('asArgyleError returns an ArgyleError unchanged, and asks to report anything else as a bug', () => {
	const error = new ArgyleError('what', 'why');
	expect(asArgyleError(error)).toBe(error);
	expect(asArgyleError(new TypeError('x is undefined')).message).toBe('Something unexpected happened');
	expect(asArgyleError(new TypeError('x is undefined')).description).toContain(
		'report this to the makers of n8n-nodes-argyle: TypeError: x is undefined',
	);
	const [level, tags] = ['warning', {}];
	for (const similar of [{ level, tags, message: '' }, Object.assign(new Error(), { tags })])
		expect(asArgyleError(similar).message).toBe('Something unexpected happened');
});

it("asArgyleError tells n8n's own errors in n8n's words, and says what to check", () => {
	const advice = "Check the node's credential and expressions.";
	const missing = new UserError('Credential with ID "1" does not exist for type "argyleApi".');
	expect(asArgyleError(missing)).toMatchObject({
		message: 'Credential with ID "1" does not exist for type "argyleApi"',
		description: advice,
		details: { userError: missing },
	});
	const failed = asArgyleError(new ExpressionError('No data', { description: 'Run the node before.' }));
	expect(failed).toMatchObject({ message: 'No data', description: `Run the node before. ${advice}` });
	expect(failed.details.userError).toBeUndefined();
	expect(asArgyleError(new OperationalError('Locked', { description: '' })).description).toBe(advice);
	for (const text of ['Locked', 'Locked.', 'Locked. ', 'Locked \n', 'Locked.\t\n '])
		expect(asArgyleError(new OperationalError(text)).message).toBe('Locked');
});

it('asArgyleError reads the words of an error with a million blanks in them, which a slow pattern would not end', () => {
	const text = `Locked${' '.repeat(1_000_000)}by another`;
	expect(asArgyleError(new OperationalError(text)).message).toBe(text);
});
