import { resources } from '../../../nodes/Argyle/resources/index';
import { triggerProperties } from '../../../nodes/Argyle/trigger/description';
import { textOfFile } from '../../support/paths.mts';

const page = textOfFile('README.md');
const [, afterHeading = ''] = page.split('\n## What you can do\n');
const [table = ''] = afterHeading.split('\n## ');
const rows = table.split('\n').filter((line) => line.startsWith('| '));

/** The operations that rows name for a resource, such as `[User](#user): Get, Get Many · [Gig](#gig): Get`. */
const namedFor = (resource: string) =>
	rows
		.flatMap((row) => row.split('|')[2].split(' · '))
		.filter((part) => new RegExp(`\\b${resource}\\b.*\\]`).test(part))
		.flatMap((part) => part.split('): ').slice(1).join('').split(','))
		.map((operation) => operation.replace('(Sandbox)', '').trim());

it.each(resources)('the table What You Can Do of README.md has every operation of $name', ({ name, operations }) => {
	expect(namedFor(name)).toEqual(expect.arrayContaining(operations.map((operation) => operation.name)));
});

it('docs/trigger.md tells every field and option of the trigger', () => {
	const triggerPage = textOfFile('docs/trigger.md');
	const fields = triggerProperties.filter(({ type }) => type !== 'notice' && type !== 'collection');
	const collections = triggerProperties.filter(({ type }) => type === 'collection');
	const options = collections.flatMap((collection) => collection.options ?? []);
	const names = [...fields, ...options].map((field) => ('displayName' in field ? field.displayName : field.name));
	expect(names.length).toBeGreaterThan(9);
	expect(names.filter((name) => !triggerPage.includes(`| ${name} |`))).toEqual([]);
});
