const { default: Sequencer } = require('@jest/test-sequencer');

/** The files that take minutes, the longest first: begun last, each would keep the other workers waiting. */
const LONGEST = [
	'queue/queue',
	'faults/process',
	'faults/credential',
	'faults/missedForms',
	'faults/lifecycle',
	'faults/copy',
	'browser/story',
	'proxy/proxy',
	'e2e/expressions',
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
