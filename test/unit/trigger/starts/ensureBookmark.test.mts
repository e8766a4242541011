import { newestPosition, showsKnownForm } from '../../../../nodes/Argyle/trigger/starts/ensureBookmark';
import type { FormList } from '../../../../nodes/Argyle/trigger/starts/formList';
import { loadState } from '../../../../nodes/Argyle/trigger/state/savedState';
import { formAt, newProcess, now, savedState } from '../state/savedTrigger.mts';

it('a list is of the account of the bookmark when it shows its form, or one that has started the workflow', async () => {
	const listOf = (...ids: string[]): FormList =>
		Object.create({ forms: ids.map((id) => formAt(now, id)), readBackTo: async () => true });
	const trigger = newProcess(savedState({ time: now, form: 'm' }));
	expect(await showsKnownForm(trigger, listOf('m'))).toBe(false);
	loadState(trigger);
	expect(await showsKnownForm(trigger, listOf('other', 'm'))).toBe(true);
	expect(await showsKnownForm(trigger, listOf('begun', 'other'))).toBe(true);
	expect(await showsKnownForm(trigger, listOf('other'))).toBe(false);
});

it('a new trigger begins behind the newest form; where there is none yet, every form counts', async () => {
	const listOf = (newest: object | undefined): FormList => Object.create({ newestForm: async () => newest });
	expect(await newestPosition(listOf(formAt(now, 'f')))).toEqual({ time: now, form: 'f' });
	expect(await newestPosition(listOf(undefined))).toEqual({ time: 0 });
});
