const vm = require('node:vm');
const { TestEnvironment: NodeEnvironment } = require('jest-environment-node');

/** Stands for the context of the process itself, which `vm` takes when it is given none. */
const OWN_CONTEXT = vm.createContext({});
const { compileFunction } = vm;
vm.compileFunction = (code, parameters, { parsingContext, ...options }) =>
	compileFunction(code, parameters, parsingContext === OWN_CONTEXT ? options : { ...options, parsingContext });

/** Where Jest keeps the handlers of a test file's events. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

/** Runs tests in the context of the installed modules that they share, so that `instanceof` holds across both. */
module.exports = class SharedContextEnvironment extends NodeEnvironment {
	constructor(config, context) {
		super(config, context);
		Reflect.deleteProperty(globalThis, EVENT_HANDLERS);
		this.global = globalThis;
		this.moduleMocker = new this.moduleMocker.constructor(globalThis);
		this.fakeTimersModern = new this.fakeTimersModern.constructor({ config: config.projectConfig, global: globalThis });
	}

	getVmContext() {
		return OWN_CONTEXT;
	}
};
