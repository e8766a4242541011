// Loads what the manifest names, as n8n does: each file exports a class of the file's name, which is made without arguments.
const assert = require('node:assert/strict');
const { basename, join } = require('node:path');

const root = process.cwd();
const { n8n } = require(join(root, 'package.json'));
const names = [...n8n.credentials, ...n8n.nodes].map((file) => {
	const Class = require(join(root, file))[basename(file).split('.')[0]];
	const made = new Class();
	const { name, properties } = made.description ?? made;
	assert.ok(properties.length > 0, `${file} shows no property`);
	return name;
});
assert.deepEqual(names, ['argyleApi', 'argyle', 'argyleTrigger']);
console.log(`Node.js ${process.version}: ${names.join(', ')}`);
