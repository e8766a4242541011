import type { Argyle } from './argyle.mts';
import type { Version } from './database.mts';
import type { N8n } from './n8n.mts';
import type { Timeline } from './timeline.mts';
import { chosenOthers, choosesForms, type WishesOfAll } from './wishes.mts';

const MINUTE = 60_000;

/** An n8n, and what its person wanted of it. */
export interface Installation {
	n8n: N8n;
	wishes: WishesOfAll;
}

/** Has something happen after a time in which all is not as usual. */
type During = (ms: number, end: () => void) => void;

/** A person who takes the workflow to another n8n by `export:workflow`, `import:workflow` and `publish:workflow`. */
export class Mover {
	/** Meanwhile he does nothing else with it. */
	isMoving = false;

	private readonly timeline: Timeline;

	private readonly argyle: Argyle;

	private readonly during: During;

	private readonly install: (clockOffsetMs: number) => Installation;

	constructor(timeline: Timeline, argyle: Argyle, during: During, install: (clockOffsetMs: number) => Installation) {
		this.timeline = timeline;
		this.argyle = argyle;
		this.during = during;
		this.install = install;
	}

	/** Returns what is moved, undefined when it can't be moved now. */
	move({ n8n }: Installation): Version | undefined {
		const { published, staticData } = n8n.database;
		if (published === undefined || this.isMoving || n8n.main?.isReady !== true) return undefined;
		const exported = JSON.stringify(staticData);
		this.isMoving = true;
		n8n.publication.request(undefined);
		this.during(12 * MINUTE, () => this.arrive(n8n, published, exported));
		return published;
	}

	private arrive(old: N8n, published: Version, exported: string): void {
		if (old.database.published !== undefined || old.publication.isBusy) {
			this.during(5 * MINUTE, () => this.arrive(old, published, exported));
			return;
		}
		old.stopAll();
		const { n8n, wishes } = this.install(old.clockOffsetMs);
		n8n.database.staticData = JSON.parse(exported);
		n8n.database.published = published;
		wishes.begin(this.timeline.now, published);
		n8n.startAll();
		const wantsForms = choosesForms(published);
		const isWanted = published.trigger === 'on' && (wantsForms || chosenOthers(published).length > 0);
		const asksForForms = wantsForms && (published.catchUp || published.receiveBy === 'polling');
		const list = asksForForms ? 'GET /v2/user-forms' : 'GET /v2/';
		const end = () => {
			wishes.end(this.timeline.now, published, true);
			this.isMoving = false;
		};
		if (isWanted) this.untilLook(list, end);
		else end();
	}

	/** n8n tells nobody when a workflow that was published from the command line begins: its first look does. */
	private untilLook(list: string, then: () => void): void {
		const { requests } = this.argyle;
		const seen = requests.length;
		const wait = () => {
			const hasLooked = requests.slice(seen).some(({ call, isServed }) => isServed && call.startsWith(list));
			if (hasLooked) this.timeline.after(10_000, then);
			else this.timeline.after(5_000, wait);
		};
		wait();
	}
}
