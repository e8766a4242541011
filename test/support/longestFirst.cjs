const { default: Sequencer } = require('@jest/test-sequencer');

/** The files that take minutes, the longest first: begun last, each would keep the other workers waiting. */
const LONGEST = [
	'faults/missedForms',
	'queue/queue',
	'faults/process',
	'faults/credential',
	'faults/lifecycle',
	'faults/copy',
	'browser/story',
	'e2e/examples',
	'e2e/expressions',
	'proxy/proxy',
	'e2e/upgrade',
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
