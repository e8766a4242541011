import {
	MAX_BEHIND,
	MAX_HELD,
	MAX_PROCESSED,
	MAX_SAVED,
	MAX_UNSAVED,
} from '../../../../nodes/Argyle/trigger/state/limits';

it("n8n's store knows all forms that are looked for again after a restart", () => {
	expect(MAX_BEHIND + MAX_UNSAVED).toBeLessThan(MAX_PROCESSED);
});

it('static data knows all that has started the workflow after a bookmark that is held', () => {
	expect(MAX_HELD).toBeLessThan(MAX_SAVED);
});
