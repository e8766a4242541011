// Loads what the manifest of the package in the named folder lists, as n8n does: each file exports a class of the
// file's name, whose constructor n8n calls without arguments.
const assert = require('node:assert/strict');
const { basename, join } = require('node:path');

const [folder] = process.argv.slice(2);
const { n8n } = require(join(folder, 'package.json'));
const names = [...n8n.credentials, ...n8n.nodes].map((file) => {
	const Class = require(join(folder, file))[basename(file).split('.')[0]];
	const instance = new Class();
	const { name, properties } = instance.description ?? instance;
	assert.ok(properties.length > 0, `${file} has no properties`);
	return name;
});
assert.deepEqual(names, ['argyleApi', 'argyle', 'argyleTrigger']);
console.log(`Node.js ${process.version}: ${names.join(', ')}`);
