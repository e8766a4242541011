import { type IDataObject, type IRun, type ITriggerFunctions, UserError } from 'n8n-workflow';

/**
 * Asks n8n for an execution of the workflow with these items. Resolves with the run when it has ended, or with
 * undefined when n8n dropped it for its deduplication key (n8n's types leave that out). Rejects when n8n could not
 * store it.
 */
export type AskForExecution = (items: IDataObject[], key: string) => Promise<IRun | undefined>;

export function executionsOf(context: ITriggerFunctions): AskForExecution {
	const { helpers, logger } = context;
	// n8n's engine 2.0 refuses to tell when an execution ends. Then the promise never settles.
	let isEndHidden = false;
	return async function ask(items, key): ReturnType<AskForExecution> {
		const end = helpers.createDeferredPromise<IRun>();
		context.emit([items.map((json) => ({ json }))], undefined, isEndHidden ? undefined : end, key);
		return await end.promise.catch(async (error: unknown) => {
			if (!(error instanceof UserError)) throw error;
			if (!isEndHidden) logger.info(`n8n does not tell the Argyle Trigger when an execution ends: ${error.message}`);
			isEndHidden = true;
			return await ask(items, key);
		});
	};
}

/** Whether an execution has failed in the trigger itself, so that no later node has run. */
export function failedInTrigger(run: IRun, triggerName: string): boolean {
	const { error, lastNodeExecuted } = run.data.resultData;
	return error !== undefined && (lastNodeExecuted === undefined || lastNodeExecuted === triggerName);
}
