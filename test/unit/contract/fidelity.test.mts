import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKS } from '../../../scripts/contract/checks/index.mts';
import { fidelityPage, readSeen } from '../../../scripts/contract/fidelity.mts';
import { checkedAssumptions } from '../../support/fakeArgyle/assumed.mts';
import { root, textOfFile } from '../../support/paths.mts';

it('docs/fidelity.md has every assumption, with its check (npm run contract -- --save)', () => {
	expect(textOfFile('docs/fidelity.md')).toBe(fidelityPage(readSeen()));
	expect([...readSeen().keys()]).toEqual(checkedAssumptions());
});

it.each([...new Set(CHECKS.flatMap(({ dependants }) => dependants))])('%s, which a check names, exists', (file) => {
	expect(existsSync(join(root, file))).toBe(true);
});
