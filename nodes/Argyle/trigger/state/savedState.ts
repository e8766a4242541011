import { furthest } from './bookmark';
import { readState, type RegisteredSubscription, type TriggerState, writeState } from './staticData';
import { type TriggerContext, triggerMemory, watchesHere } from './triggerMemory';

/** Loads what static data has kept of this trigger over a restart of n8n, once. */
export function loadState(context: TriggerContext): void {
	const memory = triggerMemory(context);
	if (memory.hasReadState) return;
	memory.hasReadState = true;
	const { registered, bookmark, startedForms } = readState(context.getWorkflowStaticData('node'));
	memory.registered ??= registered;
	if (bookmark?.node !== context.getNode().id) return;
	memory.bookmark = bookmark;
	memory.forms.startAt(bookmark);
	for (const form of startedForms) memory.forms.begin(form, Date.now());
}

/** Puts what this process knows into static data. n8n saves it when it has published, and with each `emit`. */
export function saveState(context: TriggerContext): void {
	const { registered, bookmark, forms } = triggerMemory(context);
	writeState(context.getWorkflowStaticData('node'), { registered, bookmark, startedForms: forms.begun() });
}

/** The subscription that was registered last, as this process knows it, else as static data says. */
export function lastRegistration(context: TriggerContext): RegisteredSubscription | undefined {
	return triggerMemory(context).registered ?? readState(context.getWorkflowStaticData('node')).registered;
}

/**
 * What the execution of a delivery may have to save, because n8n gives a worker no static data. The process that
 * watches the trigger knows best, any other adds what static data has.
 */
export function currentState(context: TriggerContext): Omit<TriggerState, 'startedForms'> {
	const memory = triggerMemory(context);
	const { registered, bookmark } = memory;
	if (watchesHere(memory)) return { registered, bookmark };
	const stored = readState(context.getWorkflowStaticData('node'));
	return { registered: registered ?? stored.registered, bookmark: furthest(bookmark, stored.bookmark) };
}

/**
 * Saves how far forms have started the workflow; n8n does it at the end of the execution. `sent` came with the form:
 * n8n gives a worker no static data, and saves what the worker has as the whole.
 */
export function saveStartedForms(context: TriggerContext, sent: TriggerState): void {
	const memory = triggerMemory(context);
	const staticData = context.getWorkflowStaticData('node');
	const stored = readState(staticData);
	const isWatched = watchesHere(memory);
	const bookmark = isWatched ? memory.bookmark : furthest(sent.bookmark, stored.bookmark);
	if (bookmark === undefined) return;
	const own = memory.forms.begun();
	const others = isWatched ? [] : stored.startedForms.filter((form) => !own.includes(form));
	const registered = memory.registered ?? stored.registered ?? sent.registered;
	writeState(staticData, { registered, bookmark, startedForms: [...others, ...own] });
	memory.unsavedStarts = 0;
}
