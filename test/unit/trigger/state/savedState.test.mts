import {
	currentState,
	lastRegistration,
	loadState,
	saveStartedForms,
} from '../../../../nodes/Argyle/trigger/state/savedState';
import { readState } from '../../../../nodes/Argyle/trigger/state/staticData';
import { triggerMemory } from '../../../../nodes/Argyle/trigger/state/triggerMemory';
import { at, formAt, newProcess, now, registered, savedState } from './savedTrigger.mts';

it('registration, bookmark and started forms are known again after a restart of n8n, read once', () => {
	const staticData = savedState();
	const trigger = newProcess(staticData);
	loadState(trigger);
	const memory = triggerMemory(trigger);
	expect(memory).toMatchObject({ registered, bookmark: at(now) });
	expect([memory.forms.hasBegun('begun'), memory.forms.isForgotten(formAt(now, 'f'))]).toEqual([true, true]);
	Object.assign(staticData, { bookmark: { ...at(0), time: new Date(now + 1).toISOString() } });
	loadState(trigger);
	expect(memory.bookmark?.time).toBe(now);
});

it('a restarted n8n keeps what it has registered since, and takes no bookmark of another node or none', () => {
	const trigger = newProcess(savedState(), 'copy');
	triggerMemory(trigger).registered = { ...registered, id: 'newer' };
	loadState(trigger);
	expect(triggerMemory(trigger)).toMatchObject({ registered: { id: 'newer' }, hasReadState: true });
	expect(triggerMemory(trigger).bookmark).toBeUndefined();
	expect(triggerMemory(trigger).forms.has('begun')).toBe(false);
	expect(() => loadState(newProcess())).not.toThrow();
});

it('an execution saves what the watching process knows; another process adds what static data has', () => {
	const trigger = newProcess(savedState());
	const memory = triggerMemory(trigger);
	expect([currentState(trigger), lastRegistration(trigger)]).toEqual([{ registered, bookmark: at(now) }, registered]);
	memory.registered = { ...registered, id: 'newer' };
	memory.bookmark = at(now - 1);
	expect(currentState(trigger)).toEqual({ registered: memory.registered, bookmark: at(now) });
	expect(lastRegistration(trigger)?.id).toBe('newer');
	memory.watch = new AbortController().signal;
	expect(currentState(trigger)).toEqual({ registered: memory.registered, bookmark: at(now - 1) });
});

it('the process that watches the trigger saves its own bookmark and forms, whatever came with the form', () => {
	const staticData = savedState();
	const trigger = newProcess(staticData);
	const memory = triggerMemory(trigger);
	Object.assign(memory, { bookmark: at(now - 1), watch: new AbortController().signal, unsavedStarts: 7 });
	memory.forms.begin('own', now);
	saveStartedForms(trigger, { bookmark: at(now + 1), startedForms: [] });
	expect(readState(staticData)).toEqual({ registered, bookmark: at(now - 1), startedForms: ['own'] });
	expect(memory.unsavedStarts).toBe(0);
});

it('another process saves the further bookmark and each form once, beside those that were saved', () => {
	const staticData = savedState();
	const trigger = newProcess(staticData);
	for (const form of ['begun', 'own']) triggerMemory(trigger).forms.begin(form, now);
	const newer = { ...registered, id: 'newer' };
	saveStartedForms(trigger, { registered: newer, bookmark: at(now + 1), startedForms: [] });
	expect(readState(staticData)).toEqual({ registered, bookmark: at(now + 1), startedForms: ['begun', 'own'] });
	triggerMemory(trigger).registered = newer;
	saveStartedForms(trigger, { bookmark: at(now), startedForms: [] });
	expect(readState(staticData)).toMatchObject({ registered: newer, bookmark: at(now + 1) });
});

it('a worker, to which n8n gives no static data, saves what came with the form, and nothing where no forms are missed', () => {
	const staticData = {};
	const trigger = newProcess(staticData);
	triggerMemory(trigger).forms.begin('own', now);
	saveStartedForms(trigger, { registered, startedForms: [] });
	expect(staticData).toEqual({});
	saveStartedForms(trigger, { registered, bookmark: at(now), startedForms: [] });
	expect(readState(staticData)).toEqual({ registered, bookmark: at(now), startedForms: ['own'] });
});
