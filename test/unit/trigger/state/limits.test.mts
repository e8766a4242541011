import {
	MAX_BEHIND,
	MAX_EARLIER,
	MAX_HELD,
	MAX_PROCESSED,
	MAX_SAVED,
} from '../../../../nodes/Argyle/trigger/state/limits';

it("n8n's store knows the forms from before a beginning beside those that are looked for again after a restart", () => {
	expect(MAX_BEHIND + MAX_EARLIER).toBeLessThan(MAX_PROCESSED);
});

it('static data knows all that has started the workflow after a bookmark that is held', () => {
	expect(MAX_HELD).toBeLessThan(MAX_SAVED);
});
