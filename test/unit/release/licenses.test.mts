import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { developmentPackages, ownLicense } from '../../../scripts/licenses/packages.mts';
import { licenseTable, notAllowed } from '../../../scripts/licenses/table.mts';
import { root } from '../../support/paths.mts';

describe('licenses', () => {
	it('publishes the package under MIT', () => {
		expect(ownLicense()).toBe('MIT');
		expect(readFileSync(join(root, 'LICENSE.md'), 'utf8')).toContain('Permission is hereby granted, free of charge');
	});

	it('finds an allowed license for every package of the lock file', () => {
		const packages = developmentPackages();
		expect(packages.map(({ name }) => name)).toEqual(expect.arrayContaining(['jest', 'n8n-core', '@types/node']));
		expect(notAllowed(packages)).toEqual([]);
	});

	it('refuses a missing license, one that is not listed, and one that only other packages may have', () => {
		const packages = [
			{ name: 'fine', license: 'MIT' },
			{ name: 'silent', license: '' },
			{ name: 'strict', license: 'AGPL-3.0' },
			{ name: 'another', license: 'SEE LICENSE IN LICENSE.md' },
		];
		expect(notAllowed(packages)).toEqual([
			'silent: none stated',
			'strict: AGPL-3.0',
			'another: SEE LICENSE IN LICENSE.md',
		]);
	});

	it('matches docs/licenses.md (`node scripts/licenses/write.mts` writes it)', () => {
		const written = readFileSync(join(root, 'docs', 'licenses.md'), 'utf8');
		expect(written).toBe(licenseTable(ownLicense(), developmentPackages()));
	});
});
