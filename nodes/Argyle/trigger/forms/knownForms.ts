import type { ITriggerFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { EventMessage } from '../../api/delivery';
import { isDataObject } from '../../utils/json';
import { callOwnUrl } from '../delivery/ownUrl';
import { readState } from '../staticData';
import { isKnownForm, triggerMemory } from '../triggerMemory';

/** No event of Argyle's: n8n's main process asks the process that receives deliveries. */
const QUESTION = 'n8n_nodes_argyle.taken_forms';

/** Bounds the question. */
const MAX_FORMS = 1_000;

const textsIn = (value: unknown): string[] =>
	Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];

/**
 * Which of the forms were taken by another process of n8n: in queue mode, the main process learns of no delivery.
 * Static data is read anew for each call, but not here. It learns the bookmark by it. Never throws.
 */
export async function formsTakenElsewhere(
	context: ITriggerFunctions,
	url: string,
	secret: string,
	forms: string[],
): Promise<string[]> {
	if (forms.length === 0) return [];
	const { bookmark } = triggerMemory(context);
	const data = { forms: forms.slice(0, MAX_FORMS), bookmark };
	// Where the route is not open from inside, the execution of each form finds out.
	const answer = await callOwnUrl(context, url, secret, { event: QUESTION, data });
	return isDataObject(answer) ? textsIn(answer.taken).filter((form) => forms.includes(form)) : [];
}

/** The answer to `formsTakenElsewhere`, undefined when the message is no such question. */
export function answerTakenForms(context: IWebhookFunctions, { event, data }: EventMessage): string[] | undefined {
	if (event !== QUESTION) return undefined;
	const memory = triggerMemory(context);
	if (typeof data.bookmark === 'number') memory.bookmark = Math.max(memory.bookmark ?? 0, data.bookmark);
	const { startedForms } = readState(context.getWorkflowStaticData('node'));
	return textsIn(data.forms).filter((form) => startedForms.includes(form) || isKnownForm(memory, form));
}
