import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resources } from '../../../nodes/Argyle/resources';
import { root } from '../../support/paths.mts';

const [, ...tables] = readFileSync(join(root, 'docs', 'agents.md'), 'utf8').split(/^\| (?:Always allowed|Only if)/m);
const namedIn = (table = '') => [...table.split('\n\n')[0].matchAll(/\*([^*]+: [^*]+)\*/g)].map(([, name]) => name);

const operations = resources.flatMap(({ name: resource, operations: ofResource }) =>
	ofResource.map(({ name, effect }) => ({ name: `${resource}: ${name}`, effect })),
);

it('docs/agents.md names each operation that an agent may run though it writes', () => {
	const writing = operations.filter(({ effect }) => effect === 'changes').map(({ name }) => name);
	expect(namedIn(tables[0])).toEqual(expect.arrayContaining(writing));
});

it('docs/agents.md names each operation that an agent may run only if somebody allows it, and no other', () => {
	const restricted = operations.filter(({ effect }) => effect !== 'reads' && effect !== 'changes');
	expect(namedIn(tables[1]).sort()).toEqual(restricted.map(({ name }) => name).sort());
});
