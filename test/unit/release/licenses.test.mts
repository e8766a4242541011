import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { developmentPackages, ownLicence } from '../../../scripts/licenses/packages.mts';
import { licenceTable, notAllowed } from '../../../scripts/licenses/table.mts';
import { root } from '../../support/paths.mts';

describe('licences', () => {
	it('has MIT for what is published', () => {
		expect(ownLicence()).toBe('MIT');
		expect(readFileSync(join(root, 'LICENSE.md'), 'utf8')).toContain('Permission is hereby granted, free of charge');
	});

	it('has an allowed licence for every package of the lock file', () => {
		const packages = developmentPackages();
		expect(packages.map(({ name }) => name)).toEqual(expect.arrayContaining(['jest', 'n8n-core', '@types/node']));
		expect(notAllowed(packages)).toEqual([]);
	});

	it('refuses a missing one, one that is not on the list, and one that only others may have', () => {
		const packages = [
			{ name: 'fine', licence: 'MIT' },
			{ name: 'silent', licence: '' },
			{ name: 'strict', licence: 'AGPL-3.0' },
			{ name: 'a-stranger', licence: 'SEE LICENSE IN LICENSE.md' },
		];
		expect(notAllowed(packages)).toEqual([
			'silent: none stated',
			'strict: AGPL-3.0',
			'a-stranger: SEE LICENSE IN LICENSE.md',
		]);
	});

	it('is what docs/licences.md says (`npm run licences` writes it)', () => {
		const written = readFileSync(join(root, 'docs', 'licenses.md'), 'utf8');
		expect(written).toBe(licenceTable(ownLicence(), developmentPackages()));
	});
});
