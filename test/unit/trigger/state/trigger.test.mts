import type { IDataObject } from 'n8n-workflow';
import type { Position } from '../../../../nodes/Argyle/trigger/state/listedRecord';
import { readState } from '../../../../nodes/Argyle/trigger/state/staticData';
import { isEarlier } from '../../../../nodes/Argyle/trigger/starts/bookkeeping';
import { Trigger } from '../../../../nodes/Argyle/trigger/state/trigger';
import { clock } from '../../../../nodes/Argyle/utils/clock';
import { advance, useFakeTime } from '../../../support/fakeTime.mts';
import { client, formAt, newProcess, now } from './triggerContext.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const url = 'https://n8n.example.com/webhook';
const registered = { id: 's', url };

beforeEach(() => useFakeTime(() => now));
afterEach(() => jest.restoreAllMocks());

/** A trigger that is published, and first wanted forms at `position`. */
function publish(context = newProcess(), position: Position = { time: now }): Trigger {
	const trigger = Trigger.of(context);
	trigger.load(context);
	trigger.publication.succeed(url);
	trigger.registered = registered;
	trigger.beginBookmark(client('a'), position, true);
	trigger.save(context);
	return trigger;
}

/** Static data of such a trigger. */
function savedData(position?: Position, place?: object): IDataObject {
	const staticData = {};
	publish(newProcess(staticData, place), position);
	return JSON.parse(JSON.stringify(staticData));
}

/** The trigger in a process that has read its static data. */
function restarted(staticData: IDataObject, place?: object): Trigger {
	const context = newProcess(staticData, place);
	const trigger = Trigger.of(context);
	trigger.load(context);
	return trigger;
}

/** Which of the forms of a moment the trigger looks for. */
function missingOf({ starts }: Trigger, time: number, keys: string[]): string[] {
	starts.list(
		keys.map((key) => formAt(time, key)),
		time,
		now,
	);
	return starts.missing().map(({ key }) => key);
}

describe('the owner', () => {
	it('is one for each trigger of a workflow, whoever asks for it', () => {
		const place = { workflow: 'w', node: 'n1' };
		const places = [place, { ...place, node: 'n2' }, { ...place, workflow: 'v' }];
		const triggers = places.map((each) => Trigger.of(newProcess({}, each)));
		expect([new Set(triggers).size, new Set(triggers.map(({ key }) => key)).size]).toEqual([3, 3]);
		expect(Trigger.of(newProcess({}, place))).toBe(triggers[0]);
	});

	it('is watched until the watch that began last ends, which has ended the one before', () => {
		const trigger = Trigger.of(newProcess());
		const [first, second] = [new AbortController(), new AbortController()];
		expect(trigger.publication.isWatchedHere).toBe(false);
		trigger.publication.beginWatch(first);
		trigger.publication.beginWatch(second);
		expect([first, second].map(({ signal }) => signal.aborted)).toEqual([true, false]);
		trigger.publication.endWatch(first);
		expect(trigger.publication.isWatchedHere).toBe(true);
		trigger.publication.endWatch(second);
		expect(trigger.publication.isWatchedHere).toBe(false);
	});
});

describe('a publish', () => {
	it.each<[number, string, object, string | undefined]>([
		[MINUTE, 'that static data knows: surely a start', {}, 'sure'],
		[4 * MINUTE, 'that static data knows: perhaps a start', {}, 'doubtful'],
		[6 * MINUTE, 'that static data knows: no start', {}, undefined],
		[4 * MINUTE, 'that static data does not know: no start', { isSaved: false }, undefined],
		[2 * MINUTE, 'that was taken down before: perhaps a start', { wasTakenDown: true }, 'doubtful'],
		[2 * MINUTE, 'that was taken down, and polls: no start', { wasTakenDown: true, isPolling: true }, undefined],
		[MINUTE, 'that was taken down, and polls: surely a start', { wasTakenDown: true, isPolling: true }, 'sure'],
	])('as update, %i ms after n8n has started, of a trigger %s', (ms, _, given, found) => {
		const { isSaved, wasTakenDown, isPolling } = { isSaved: true, wasTakenDown: false, isPolling: false, ...given };
		jest.spyOn(performance, 'now').mockReturnValue(ms);
		const { publication } = Trigger.of(newProcess());
		if (wasTakenDown) publication.load({ takenDownAt: now - 10 * MINUTE });
		const startsLate = (isKnown: boolean) => publication.startsLate(isKnown, isPolling);
		expect([startsLate(isSaved), publication.isDoubtfulStart]).toEqual([found !== undefined, found === 'doubtful']);
		publication.succeed(url);
		expect(startsLate(true)).toBe(found !== undefined);
		publication.closeUrl(url);
		expect([startsLate(true), publication.isDoubtfulStart]).toEqual([false, false]);
	});

	it('as update is a new beginning for a trigger that this process does not know', () => {
		expect(Trigger.of(newProcess()).publication.isNewBeginning('update')).toBe(true);
	});

	it('of a change is a new beginning for a trigger that was down for five minutes', () => {
		const trigger = publish();
		expect(trigger.publication.isNewBeginning('update')).toBe(false);
		trigger.publication.closeUrl('of a test');
		advance(MINUTE);
		trigger.publication.closeUrl(url);
		advance(5 * MINUTE - 1);
		expect(trigger.publication.isNewBeginning('update')).toBe(false);
		// A second call says nothing new.
		trigger.publication.closeUrl(url);
		advance(1);
		expect(trigger.publication.isNewBeginning('update')).toBe(true);
	});

	it('of a change is a new beginning for a trigger that was down for five minutes in which the clock was set back', () => {
		const trigger = publish();
		const uptime = jest.spyOn(clock, 'uptime').mockReturnValue(HOUR);
		trigger.publication.closeUrl(url);
		advance(-HOUR);
		expect(trigger.publication.isNewBeginning('update')).toBe(false);
		uptime.mockReturnValue(HOUR + 5 * MINUTE);
		expect(trigger.publication.isNewBeginning('update')).toBe(true);
	});

	it('of a change is none while the trigger is watched, or has its address', () => {
		const trigger = publish();
		const watch = new AbortController();
		trigger.publication.beginWatch(watch);
		trigger.publication.closeUrl(url);
		advance(10 * MINUTE);
		expect([trigger.publication.isNewBeginning('update'), trigger.state.takenDownAt]).toEqual([false, undefined]);
		trigger.publication.endWatch(watch);
		expect(trigger.state.takenDownAt).toBe(Date.now());
	});

	it('of a change is a new beginning if n8n has taken down what failed to be published, minutes before', () => {
		const trigger = publish();
		trigger.publication.closeUrl(url);
		trigger.publication.begin(url);
		trigger.publication.closeUrl(url);
		advance(60 * MINUTE);
		// A version between them was published without the trigger, or n8n would take it down first.
		expect([trigger.publication.isNewBeginning('update'), trigger.state.takenDownAt]).toEqual([true, undefined]);
		trigger.publication.closeUrl('of a test');
		trigger.publication.closeUrl(url);
		expect([trigger.publication.isNewBeginning('update'), trigger.state.takenDownAt]).toEqual([false, Date.now()]);
		advance(6 * MINUTE);
		expect(trigger.publication.isNewBeginning('update')).toBe(true);
	});

	it('that fails does not change when the trigger was taken down, though its watch had begun', () => {
		const trigger = publish();
		trigger.publication.closeUrl(url);
		advance(MINUTE);
		const watch = new AbortController();
		trigger.publication.beginWatch(watch);
		trigger.publication.endWatch(watch);
		expect(trigger.state.takenDownAt).toBe(now);
	});
});

describe('after a restart of n8n', () => {
	it('registration and bookmark are known again, with its form, so that later ones of that millisecond count', () => {
		const trigger = restarted(savedData({ time: now, key: 'm' }));
		const bookmark = { time: now, key: 'm', keyDigest: 'a', credential: 'c' };
		expect(trigger).toMatchObject({ registered, bookmark, firstWantedAt: now, lostSince: now, beganAt: undefined });
		expect(missingOf(trigger, now, ['a', 'm', 'z'])).toEqual(['z']);
	});

	it('the copy of static data no longer says that it is as a look has saved it, since another trigger may save it', () => {
		const staticData = { ...savedData(), isSavedByLook: true };
		expect(restarted(staticData).publication.wasWatched).toBe(true);
		expect(staticData).toEqual(savedData());
		expect(restarted(savedData()).publication.wasWatched).toBe(false);
	});

	it('static data is read once, and what was registered since stays', () => {
		const staticData = savedData();
		const context = newProcess(staticData);
		const trigger = Trigger.of(context);
		trigger.registered = { ...registered, id: 'newer' };
		trigger.load(context);
		Object.assign(staticData, savedData({ time: now + 1 }));
		trigger.load(context);
		expect(trigger).toMatchObject({ registered: { id: 'newer' }, bookmark: { time: now } });
	});

	it.each<[string, object]>([
		['another n8n', { instance: 'other' }],
		['another node of the same name', { node: 'other' }],
	])('the bookmark of %s is none, though all of its forms are earlier ones', (_, place) => {
		const trigger = restarted(savedData(), place);
		expect([trigger.bookmark, trigger.hasLostBookmark]).toEqual([undefined, false]);
		expect(trigger).toMatchObject({ registered, firstWantedAt: 0 });
		expect(missingOf(trigger, now - 1, ['f'])).toEqual(['f']);
	});

	it.each<[string, number, boolean]>([
		['less than an hour ago, as by a kill while a change was published', 60 * MINUTE - 1, true],
		['an hour ago', 60 * MINUTE, false],
		['in the future, because the clock was set back', -1, false],
	])('the bookmark of a trigger that was taken down %s, counts: %p', (_, agoMs, isKept) => {
		const staticData = { ...savedData(), takenDownAt: now - agoMs };
		const { bookmark, publication, firstWantedAt } = restarted(staticData);
		expect([bookmark?.time, publication.wasUnpublished]).toEqual(isKept ? [now, false] : [undefined, true]);
		expect(firstWantedAt).toBe(now);
	});

	it.each<[string, number, number]>([
		['when nobody wanted forms any more', -MINUTE, now - MINUTE],
		['now, where the clock was ahead when nobody wanted them any more', MINUTE, now],
	])('a bookmark that static data has lost begins no earlier than %s', (_, afterMs, begin) => {
		const { bookmark: erased, ...saved } = savedData({ time: now - 60 * MINUTE });
		const trigger = restarted({ ...saved, beganAnewAt: now + afterMs });
		trigger.restoreBookmark(client('a'), now);
		expect([erased, trigger.bookmark]).toMatchObject([{}, { time: begin }]);
	});

	it.each([
		['the same credential, which n8n knows the trigger by', 'c', 'trigger'],
		['another credential, chosen since n8n started, which may be of another account', 'd', 'account'],
	])(
		'a bookmark that static data has lost is in doubt in a trigger that it does not know: %s',
		(title, credential, about) => {
			const workflow = `lost ${title}`;
			const trigger = restarted({}, { workflow });
			trigger.noteStart();
			const context = newProcess({}, { workflow, credential });
			trigger.load(context);
			trigger.restoreBookmark(client('b'), now);
			expect(trigger.doubt?.about).toBe(about);
			trigger.noteShown([], now, now);
			expect([now, now + 1].map((time) => trigger.doubtAbout(formAt(time, 'f')))).toEqual([about, undefined]);
		},
	);

	it('a doubt about another credential, chosen since n8n started, is there again after a kill', async () => {
		const place = { workflow: 'lost and killed', node: 'n' };
		restarted({}, place).noteStart();
		const staticData = {};
		const context = newProcess(staticData, { ...place, credential: 'd' });
		const trigger = Trigger.of(context);
		trigger.load(context);
		trigger.restoreBookmark(client('b'), now);
		trigger.save(context);
		const { bookmark } = readState(staticData);
		expect(bookmark).toMatchObject({ time: 0, credential: 'd' });
		expect([bookmark?.keyDigest, trigger.bookmark?.keyDigest]).toEqual(['none', 'b']);
	});

	it('static data of a trigger that went down says so, until it is published again', () => {
		const staticData = {};
		const context = newProcess(staticData);
		const trigger = publish(context);
		trigger.publication.closeUrl(url);
		trigger.save(context);
		expect(readState(staticData).takenDownAt).toBe(now);
		trigger.publication.succeed(url);
		trigger.save(context);
		expect(readState(staticData).takenDownAt).toBeUndefined();
	});
});

describe('the bookmark', () => {
	it('begins at its place, whatever was known before, and is saved', () => {
		const staticData = savedData({ time: now - MINUTE });
		const context = newProcess(staticData);
		const trigger = publish(context, { time: now + 5, key: 'm' });
		expect(missingOf(trigger, now + 5, ['m', 'n'])).toEqual(['n']);
		const bookmark = { time: now + 5, key: 'm', keyDigest: 'a', credential: 'c' };
		expect(readState(staticData)).toMatchObject({ bookmark, firstWantedAt: now - MINUTE });
	});

	it('ends with the wish, in static data, too, with the forms that were listed, and is not read again', () => {
		const staticData = savedData();
		const saved = { ...staticData };
		const context = newProcess(staticData);
		const trigger = Trigger.of(context);
		trigger.beginAnew(context);
		expect(readState(staticData)).toMatchObject({ registered, bookmark: undefined, firstWantedAt: now });
		Object.assign(staticData, saved);
		trigger.load(context);
		expect([trigger.bookmark, trigger.hasLostBookmark, trigger.doubt]).toEqual([undefined, false, undefined]);
		expect(missingOf(trigger, 1, ['old'])).toEqual(['old']);
	});

	it.each<[string, string, string, boolean, boolean]>([
		['of the same key, without a question', 'c', 'a', false, true],
		['of another key of the same account', 'c', 'b', true, true],
		['of another credential of the same account', 'd', 'b', true, true],
		['of another credential of another account, which is dropped', 'd', 'b', false, false],
	])('keepBookmark tells whether there is one %s', async (title, credential, key, isSameAccount, isKept) => {
		const workflow = `keepBookmark ${title}`;
		const context = newProcess({}, { workflow });
		const trigger = Trigger.of(context);
		trigger.load(context);
		expect(await trigger.keepBookmark(client(key), async () => true)).toBe(false);
		const position = { time: now, key: 'f' };
		trigger.beginBookmark(client('a'), position, true);
		trigger.starts.list([formAt(now + 1, 'f')], now + 1, now);
		trigger.load(newProcess({}, { workflow, credential }));
		// A test in the editor, or an execution of an earlier version, may have yet another one.
		Trigger.of(newProcess({}, { workflow, credential: 'e' }));
		expect(await trigger.keepBookmark(client(key), async () => isSameAccount)).toBe(isKept);
		const kept = isKept ? { ...position, keyDigest: key, credential } : undefined;
		expect([trigger.bookmark, trigger.starts.missing().length]).toEqual([kept, isKept ? 1 : 0]);
	});

	it('of what may be another account stays, and all that is there is left to the store of n8n', async () => {
		const trigger = publish(newProcess(), { time: now, key: 'f' });
		const doubtful = (createdAt: number) => trigger.doubtAbout(formAt(createdAt, String(createdAt)));
		expect(await trigger.keepBookmark(client('b'), async () => true)).toBe(true);
		expect(doubtful(now)).toBeUndefined();
		expect(await trigger.keepBookmark(client('c'), async () => false)).toBe(true);
		expect([trigger.bookmark?.keyDigest, trigger.doubt?.about]).toEqual(['c', 'account']);
		const ahead = now + 60 * MINUTE;
		const late = ahead + 1;
		// Argyle's clock is two minutes before that of n8n.
		const serviceTime = now + 2 * MINUTE;
		trigger.noteShown([formAt(ahead, String(ahead))], serviceTime, serviceTime);
		trigger.noteShown([formAt(late, String(late))], serviceTime, serviceTime);
		expect([serviceTime, serviceTime + 1, ahead, late].map(doubtful)).toEqual([
			'account',
			undefined,
			'account',
			undefined,
		]);
	});

	it('that is dropped while its account is looked for is none', async () => {
		const context = newProcess();
		const trigger = publish(context, { time: now, key: 'f' });
		const dropMeanwhile = async () => {
			trigger.beginAnew(context);
			return true;
		};
		expect(await trigger.keepBookmark(client('b'), dropMeanwhile)).toBe(false);
	});
});

describe('earlier forms, which must never start the workflow', () => {
	const isEarlierAt = (trigger: Trigger, createdAt: number) => isEarlier(trigger, { key: 'f', createdAt }, Infinity);

	it('are none at a first beginning, whose static data can be set back to nothing', () => {
		const trigger = publish();
		expect([now - 1, now, now + 1].map((time) => isEarlierAt(trigger, time))).toEqual([false, false, false]);
	});

	it('are those from the first beginning to the new one', () => {
		const context = newProcess();
		const trigger = publish(context);
		trigger.beginAnew(context);
		publish(context, { time: now + 5 });
		const times = [now, now + 1, now + 5, now + 6];
		expect(times.map((time) => isEarlierAt(trigger, time))).toEqual([false, true, true, false]);
	});

	it('are all before the beginning where static data came from another n8n', () => {
		const trigger = publish(newProcess(savedData(), { instance: 'other' }), { time: now + 5 });
		expect([1, now + 5, now + 6].map((time) => isEarlierAt(trigger, time))).toEqual([true, true, false]);
	});

	it('are all before the beginning where the trigger was published without wanting forms', () => {
		const context = newProcess();
		const trigger = Trigger.of(context);
		for (let call = 0; call < 2; call++) trigger.beginAnew(context);
		publish(context, { time: now + 5 });
		expect([1, now + 5, now + 6].map((time) => isEarlierAt(trigger, time))).toEqual([true, true, false]);
	});

	it('are none before a bookmark that is made up for', () => {
		const trigger = publish();
		trigger.beginBookmark(client('a'), { time: now + 5 }, false);
		expect([trigger.beganAt, isEarlierAt(trigger, now + 1)]).toEqual([undefined, false]);
	});
});
