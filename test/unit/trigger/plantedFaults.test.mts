import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PLANTED_FAULTS } from '../../simulation/plantedFaults.mts';
import { root } from '../../support/paths.mts';

it.each(PLANTED_FAULTS)('the place where the simulation plants a fault is there once: $name', ({ file, find }) => {
	expect(readFileSync(join(root, 'nodes', 'Argyle', file), 'utf8').split(find)).toHaveLength(2);
});
