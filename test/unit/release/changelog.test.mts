import { entryOf, obstacles, withRelease } from '../../../scripts/release/changelog.mts';

const GATHERED = '# Changelog\n\n## Unreleased\n\n- A new event\n\n## 0.1.0\n\nFirst version\n';
const RELEASED = '# Changelog\n\n## 0.2.0\n\n- A new event\n\n## 0.1.0\n\nFirst version\n';

it('finds what a version brought, and nothing for one that is not there or says nothing', () => {
	expect(entryOf(GATHERED, '0.1.0')).toBe('First version');
	expect(entryOf(GATHERED, '0.2.0')).toBeUndefined();
	expect(entryOf(GATHERED, '0.1')).toBeUndefined();
	expect(entryOf('# Changelog\n\n## 0.2.0\n\n## 0.1.0\n\nFirst version\n', '0.2.0')).toBeUndefined();
});

it('puts the gathered changes under the new version, and refuses a release of nothing', () => {
	expect(withRelease(GATHERED, '0.2.0')).toBe(RELEASED);
	expect(() => withRelease(RELEASED, '0.3.0')).toThrow('say what is new in 0.3.0');
});

it.each([
	['0.2.0', RELEASED, 'v0.2.0', []],
	['0.2.0', RELEASED, undefined, []],
	['0.2.0', RELEASED, '0.2.0', ['the tag is 0.2.0, but the version wants v0.2.0']],
	['0.3.0', RELEASED, undefined, ['CHANGELOG.md says nothing about 0.3.0']],
	['0.1.0', GATHERED, undefined, ['CHANGELOG.md still has unreleased changes']],
	['1.0.0-rc.1', '## 1.0.0-rc.1\nSoon', undefined, ['the version 1.0.0-rc.1 is not of the form 1.2.3']],
])('tells what keeps %s from being released', (version, changelog, tag, expected) => {
	expect(obstacles(version, changelog, tag)).toEqual(expected);
});
