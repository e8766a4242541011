const { appendFileSync, existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

/** What the run without a mutant notes of each test file: a line of JSON. */
const notes = (rootDir) => join(rootDir, 'testFiles.jsonl');

exports.noteTestFile = (rootDir, { path, milliseconds, tests }) =>
	appendFileSync(notes(rootDir), `${JSON.stringify({ path, milliseconds, tests })}\n`);

exports.notedTestFiles = (rootDir) => {
	if (!existsSync(notes(rootDir))) return [];
	const lines = readFileSync(notes(rootDir), 'utf8').trim().split('\n');
	return lines.map((line) => JSON.parse(line));
};
