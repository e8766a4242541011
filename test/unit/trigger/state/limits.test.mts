import { MAX_BEHIND, MAX_EARLIER, MAX_PROCESSED } from '../../../../nodes/Argyle/trigger/state/limits';

it("n8n's store knows the forms from before a beginning beside those that are looked for again after a restart", () => {
	expect(MAX_BEHIND + MAX_EARLIER).toBeLessThan(MAX_PROCESSED);
});
