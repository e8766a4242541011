import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, sep } from 'node:path';
import { root, textOfFile } from '../support/paths.mts';

const source = join(root, 'nodes', 'Argyle');

/** The folders of each floor, the node files ('') on top. */
const FLOORS = [[''], ['resources', 'trigger', 'listSearch'], ['shared'], ['api'], ['transport'], ['utils']];

const folderOf = (file: string) => (file.includes(sep) ? (file.split(sep)[0] ?? '') : '');
const floorOf = (file: string) => FLOORS.findIndex((folders) => folders.includes(folderOf(file)));
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

function importsOf(file: string): string[] {
	const text = readFileSync(join(source, file), 'utf8');
	return [...text.matchAll(/ from '(\.[^']*)'/g)].map(([, path = '']) => normalize(join(dirname(file), path)));
}

it('every folder of the nodes has its floor', () => {
	expect(files.filter((file) => floorOf(file) === -1)).toEqual([]);
});

it('every source imports only from its own folder and from floors below', () => {
	const isAllowed = (file: string, path: string) => folderOf(path) === folderOf(file) || floorOf(path) > floorOf(file);
	const upward = files.flatMap((file) =>
		importsOf(file)
			.filter((path) => !isAllowed(file, path))
			.map((path) => `${file} imports ${path}`),
	);
	expect(upward).toEqual([]);
});

/** What n8n calls of the trigger, and what is behind it. Each imports what is below it, and nothing beside it. */
const TRIGGER_DOORS = ['description', 'execute', 'lifecycle', 'watch', 'webhook'];
const TRIGGER_FLOORS = [TRIGGER_DOORS, ['delivery', 'starts', 'subscription'], ['state']];

/** The first folder, or file, of the trigger on the way to a file. */
const triggerRoomOf = (file: string) => (file.split(sep)[1] ?? '').replace(/\.ts$/, '');
const triggerFloorOf = (file: string) => TRIGGER_FLOORS.findIndex((rooms) => rooms.includes(triggerRoomOf(file)));

it('what n8n calls of the trigger imports what is behind it, that imports the state, and none what is beside it', () => {
	const isAllowed = (file: string, path: string) =>
		triggerRoomOf(path) === triggerRoomOf(file) || triggerFloorOf(path) > triggerFloorOf(file);
	const trigger = files.filter((file) => folderOf(file) === 'trigger');
	expect(trigger.filter((file) => triggerFloorOf(file) === -1)).toEqual([]);
	const sideways = trigger.flatMap((file) =>
		importsOf(file)
			.filter((path) => folderOf(path) === 'trigger' && !isAllowed(file, path))
			.map((path) => `${file} imports ${path}`),
	);
	expect(sideways).toEqual([]);
});

it('no two sources of the nodes have one name, because an editor shows the name only', () => {
	const names = files.map((file) => basename(file));
	expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it('only readFilterValues reads the filters of an operation, so that none takes an empty cell for no filter', () => {
	const readers = files.filter((file) =>
		/getNodeParameter\(\s*['"`]filters/.test(readFileSync(join(source, file), 'utf8')),
	);
	expect(readers).toEqual([join('shared', 'readFilterValues.ts')]);
});

/** A constant of a module that begins empty or with a limit, a variable, or the one register of a class. */
const STATE = /^(export )?const [a-z]\w* = new [^([]+\(\w*\)|^(export )?let |static readonly \w+ = new /m;

it('docs/architecture.md names every source that keeps state of the process, so that no other begins to', () => {
	const [, table = ''] = textOfFile('docs/architecture.md').split('\n## State of the process\n');
	const named = [...table.matchAll(/`([\w/]+\.ts)`/g)].map(([, file = '']) => normalize(file));
	expect(named.filter((file) => !files.includes(file))).toEqual([]);
	const keepers = files.filter((file) => STATE.test(readFileSync(join(source, file), 'utf8')));
	expect(keepers.filter((file) => !named.includes(file))).toEqual([]);
	expect(keepers.length).toBeGreaterThan(10);
});
