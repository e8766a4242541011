import { WantedEvents } from '../../../../nodes/Argyle/trigger/state/wantedEvents';

const FORMS = 'user_forms.submitted';
const UPLOADS = 'user_uploads.added';

/** Static data says that these events have been wanted since 1. */
function wantedSinceOne(...events: string[]): WantedEvents {
	const wanted = new WantedEvents();
	wanted.since = Object.fromEntries(events.map((event) => [event, 1]));
	return wanted;
}

it('an event that was not chosen for a while counts from the publish that adds it, though the one before failed', () => {
	const wanted = wantedSinceOne(FORMS, UPLOADS);
	wanted.drop([UPLOADS]);
	wanted.want([FORMS, UPLOADS], 1, 9);
	expect([wanted.since, wanted.added]).toEqual([{ [FORMS]: 9, [UPLOADS]: 1 }, { [FORMS]: 9 }]);
});

it('events are left to n8n’s store where static data knows none of those that are chosen at a start', () => {
	const wanted = wantedSinceOne(FORMS);
	wanted.drop([UPLOADS]);
	wanted.want([UPLOADS], 1, 9, 5);
	expect(wanted.isDoubtful({ key: `${UPLOADS} a`, createdAt: 4 })).toBe(true);
	expect(wanted.added).toEqual({});
});
