import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resources } from '../../../nodes/Argyle/resources/index';
import { triggerProperties } from '../../../nodes/Argyle/trigger/description';
import { root } from '../../support/paths.mts';

const page = readFileSync(join(root, 'README.md'), 'utf8');
const [, afterHeading = ''] = page.split('\n## What you can do\n');
const [table = ''] = afterHeading.split('\n## ');
const rows = table.split('\n').filter((line) => line.startsWith('| '));

it.each(resources)('the table What You Can Do of README.md has every operation of $name', ({ name, operations }) => {
	const told = rows.filter((row) => new RegExp(`\\b${name}\\b`).test(row)).join('\n');
	expect(operations.filter((operation) => !told.includes(operation.name)).map((operation) => operation.name)).toEqual(
		[],
	);
});

it('README.md tells every field and option of the trigger', () => {
	const fields = triggerProperties.filter(({ type }) => type !== 'notice' && type !== 'collection');
	const collections = triggerProperties.filter(({ type }) => type === 'collection');
	const options = collections.flatMap((collection) => collection.options ?? []);
	const names = [...fields, ...options].map((field) => ('displayName' in field ? field.displayName : field.name));
	expect(names.length).toBeGreaterThan(9);
	expect(names.filter((name) => !page.includes(`| ${name} |`))).toEqual([]);
});
