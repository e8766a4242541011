import type { ArgyleTrigger } from '../../../nodes/Argyle/ArgyleTrigger.node';
import * as clockModule from '../../../nodes/Argyle/utils/clock';

/** The trigger as another process of n8n loads it: without anything that this one remembers. */
export function loadTriggerNode(): ArgyleTrigger {
	let node: ArgyleTrigger | undefined;
	const errors = jest.requireActual('n8n-workflow');
	jest.isolateModules(() => {
		// The error classes that tests compare with, and the time that they control.
		jest.doMock('n8n-workflow', () => errors);
		jest.doMock('../../../nodes/Argyle/utils/clock', () => clockModule);
		const module: typeof import('../../../nodes/Argyle/ArgyleTrigger.node') = jest.requireActual(
			'../../../nodes/Argyle/ArgyleTrigger.node',
		);
		node = new module.ArgyleTrigger();
	});
	if (node === undefined) throw new Error('the trigger was not loaded');
	return node;
}
