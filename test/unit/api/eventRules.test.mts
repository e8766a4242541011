import { ruleOf } from '../../../nodes/Argyle/api/eventRules';

it('an event that Argyle may have later is found by ID if such records are, and else is unknown', () => {
	expect(ruleOf('vehicles.sold')).toEqual(ruleOf('vehicles.updated'));
	expect(ruleOf('gigs.rated')).toBeUndefined();
	expect(ruleOf('invites.sent')).toBeUndefined();
	expect(ruleOf('')).toBeUndefined();
});
