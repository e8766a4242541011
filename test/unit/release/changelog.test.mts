import { entryOf, obstacles, withRelease } from '../../../scripts/release/changelog.mts';

const UNRELEASED = '# Changelog\n\n## Unreleased\n\n- A new event\n\n## 0.1.0\n\nFirst version\n';
const RELEASED = '# Changelog\n\n## 0.2.0\n\n- A new event\n\n## 0.1.0\n\nFirst version\n';

it('finds the changelog entry of a version, and none for a missing or empty one', () => {
	expect(entryOf(UNRELEASED, '0.1.0')).toBe('First version');
	expect(entryOf(UNRELEASED, '0.2.0')).toBeUndefined();
	expect(entryOf(UNRELEASED, '0.1')).toBeUndefined();
	expect(entryOf('# Changelog\n\n## 0.2.0\n\n## 0.1.0\n\nFirst version\n', '0.2.0')).toBeUndefined();
});

it('puts unreleased changes under the heading of the new version, and throws when there are none', () => {
	expect(withRelease(UNRELEASED, '0.2.0')).toBe(RELEASED);
	expect(() => withRelease(RELEASED, '0.3.0')).toThrow('say what is new in 0.3.0');
});

it.each([
	['0.2.0', RELEASED, 'v0.2.0', []],
	['0.2.0', RELEASED, undefined, []],
	['0.2.0', RELEASED, '0.2.0', ['the tag is 0.2.0, but the version is v0.2.0']],
	['0.3.0', RELEASED, undefined, ['CHANGELOG.md says nothing about 0.3.0']],
	['0.1.0', UNRELEASED, undefined, ['CHANGELOG.md still has unreleased changes']],
	['1.0.0-rc.1', '## 1.0.0-rc.1\nSoon', undefined, ['the version 1.0.0-rc.1 is not of the form 1.2.3']],
])('names what keeps version %s from being released', (version, changelog, tag, expected) => {
	expect(obstacles(version, changelog, tag)).toEqual(expected);
});
