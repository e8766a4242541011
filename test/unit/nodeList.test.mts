import { Argyle } from '../../nodes/Argyle/Argyle.node';
import { ArgyleTrigger } from '../../nodes/Argyle/ArgyleTrigger.node';
import { textOfFile } from '../support/paths.mts';

const { alias }: { alias: string[] } = JSON.parse(textOfFile('nodes/Argyle/Argyle.node.json'));

/** What n8n's list of nodes finds: all letters of what is searched for, in their order, in one name or alias. */
function isFound(search: string): boolean {
	const letters = [...search.toLowerCase()].map((letter) => letter.replace(/\W/, '\\$&'));
	return ['Argyle', ...alias].some((name) => new RegExp(letters.join('.*')).test(name.toLowerCase()));
}

it.each([
	...['invite', 'invite person', 'invite people', 'invite user', 'send invite', 'send invitation', 'remind'],
	...['verification', 'order verification', 'order report', 'generate report', 'report', 'receipt', 'upload document'],
	...['payroll', 'paycheck', 'argyle invite'],
])("n8n's list of nodes finds Argyle for %p", (search) => expect(isFound(search)).toBe(true));

it.each(['google sheets', 'send email', 'slack', 'schedule'])(
	"n8n's list of nodes does not show Argyle for %p, which is another node",
	(search) => expect(isFound(search)).toBe(false),
);

it.each([
	['Argyle', new Argyle().description],
	['Argyle Trigger', new ArgyleTrigger().description],
])('the description of %s in lists of nodes names what can be done with it', (_, { description }) => {
	for (const word of ['nvite people', 'order verifications', 'payroll records', 'reports', 'receipts'])
		expect(description).toContain(word);
});
