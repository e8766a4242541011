const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * The files that take minutes, the longest first: begun last, each would keep the other workers waiting. The first two
 * mostly wait for the trigger to look again.
 */
const LONGEST = [
	'faults/publication.drift',
	'queue/queue',
	'faults/publication.missedForms',
	'faults/publication.process',
	'faults/legacy.process',
	'faults/publication.credential',
	'faults/publication.copy',
	'faults/publication',
	'faults/legacy',
	'proxy/proxy',
	'browser/story',
	'e2e/expressions',
	'e2e/errors',
];

function rankOf({ path }) {
	const index = LONGEST.findIndex((name) => path.endsWith(`/${name}.test.mts`));
	return index === -1 ? LONGEST.length : index;
}

module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		return [...super.sort(tests)].sort((one, other) => rankOf(one) - rankOf(other));
	}
};
