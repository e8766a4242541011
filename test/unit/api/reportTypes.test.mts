import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { Argyle } from '../../../nodes/Argyle/Argyle.node';
import { REPORT_TYPE_NAMES } from '../../../nodes/Argyle/api/reportTypes';
import { textOfFile } from '../../support/paths.mts';

const isField = (option: object): option is INodeProperties => 'displayName' in option && 'type' in option;
const isChoice = (option: object): option is INodePropertyOptions => 'value' in option;

const page = textOfFile('docs/choosing.md');

/** The fields in which a type of report is chosen, in collections too. */
const typeFields = (fields: INodeProperties[]): INodeProperties[] =>
	fields.flatMap((field) =>
		field.name === 'reportType' ? [field] : typeFields((field.options ?? []).filter(isField)),
	);

const fields = typeFields(new Argyle().description.properties);

it('a type of report is chosen in a field of one name, whatever is done with it', () => {
	expect(fields.length).toBeGreaterThanOrEqual(4);
	expect(new Set(fields.map(({ displayName }) => displayName))).toEqual(new Set(['Report Type']));
});

it('a type of report has the same words in every field, and the fields list them in order', () => {
	const names = new Map<unknown, string>();
	for (const { options = [] } of fields) {
		const choices = options.filter(isChoice);
		const shown = choices.map(({ name }) => name);
		expect(shown).toEqual([...shown].sort((one, other) => one.localeCompare(other)));
		for (const { name, value } of choices) {
			expect([value, names.get(value) ?? name]).toEqual([value, name]);
			names.set(value, name);
		}
	}
	expect(new Set(names.values()).size).toBe(names.size);
	expect(names.size).toBe(10);
});

it.each(Object.entries(REPORT_TYPE_NAMES))('docs/choosing.md tells of the report type %s, "%s"', (value, name) => {
	expect(page).toContain(`| ${name} | \`${value}\` |`);
});
