import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { ArgyleApi } from '../../../credentials/ArgyleApi.credentials';
import { Argyle } from '../../../nodes/Argyle/Argyle.node';
import { ArgyleTrigger } from '../../../nodes/Argyle/ArgyleTrigger.node';
import { root } from '../../support/paths.mts';

const FOLDER = join(root, 'test', 'support', 'releases');

const listed = (values: unknown) => (Array.isArray(values) ? values.map(String) : ['']);

/** Where a field is shown: for each resource with each operation. */
function places({ displayOptions }: INodeProperties): string[] {
	const { resource, operation } = displayOptions?.show ?? {};
	return listed(resource).flatMap((one) => listed(operation).map((other) => [one, other].filter(Boolean).join('.')));
}

/** The names of a field, of its values and of what is in it, as workflows save them. */
function namesOf(field: INodeProperties): string[] {
	// n8n leaves what is at its default out of a saved workflow.
	const own = `${field.name}: ${field.type}, ${JSON.stringify(field.default)} unless it is set`;
	const inside = (field.options ?? []).flatMap((option) => {
		if ('value' in option) return [`${field.name} = ${String(option.value)}`];
		const fields = 'values' in option ? option.values.flatMap(namesOf) : 'type' in option ? namesOf(option) : [];
		const path = 'values' in option ? `${field.name}.${option.name}` : field.name;
		return fields.map((name) => `${path}.${name}`);
	});
	const modes = (field.modes ?? []).map(({ name }) => `${field.name} by ${name}`);
	return [own, ...inside, ...modes];
}

function namesOfAll(title: string, fields: INodeProperties[]): string[] {
	return fields.flatMap((field) =>
		places(field).flatMap((place) => namesOf(field).map((name) => [title, place, name].filter(Boolean).join(' '))),
	);
}

const nodeNames = ({ name, version, defaultVersion, properties }: INodeTypeDescription) => [
	...listed(Array.isArray(version) ? version : [version]).map((each) => `${name} version ${each}`),
	...(defaultVersion === undefined ? [] : [`${name} version ${defaultVersion}`]),
	...namesOfAll(name, properties),
];

/** All that saved workflows and credentials depend on. */
const current = new Set([
	...nodeNames(new Argyle().description),
	...nodeNames(new ArgyleTrigger().description),
	...namesOfAll('argyleApi', new ArgyleApi().properties),
]);

const fileOf = (release: string) => join(FOLDER, release, 'names.json');

// Before a release: RELEASE=0.1.0 npx jest --selectProjects unit --testPathPatterns savedNames
const { RELEASE } = process.env;
if (RELEASE !== undefined) writeFileSync(fileOf(RELEASE), `${JSON.stringify([...current].sort(), null, '\t')}\n`);

const releases = readdirSync(FOLDER).filter((release) => existsSync(fileOf(release)));

it('the names of a release are kept', () => {
	expect(releases).not.toHaveLength(0);
});

it.each(releases)('everything that workflows saved with %s depend on is still there', (release) => {
	const saved: string[] = JSON.parse(readFileSync(fileOf(release), 'utf8'));
	expect(saved.length).toBeGreaterThan(100);
	expect(saved.filter((name) => !current.has(name))).toEqual([]);
});
