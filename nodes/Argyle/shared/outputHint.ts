import type { IExecuteFunctions } from 'n8n-workflow';

const hinted = new WeakSet<object>();

/** Shows a person a sentence above the output; one for each execution of the node, however many items it has. */
export function addOutputHint(context: IExecuteFunctions, message: string): void {
	if (hinted.has(context)) return;
	hinted.add(context);
	context.addExecutionHints({ message, location: 'outputPane' });
}

/** For `listRecords`. */
export const hintAtMore = (context: IExecuteFunctions) => () =>
	addOutputHint(context, 'Argyle has more than these: raise Limit, or turn on Return All.');
