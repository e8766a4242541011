import { hookContext, triggerContext } from './contexts.mts';
import type { StaticDataCopy, Version } from './database.mts';
import type { N8n } from './n8n.mts';
import type { N8nProcess } from './process.mts';

const ACTIVATION_TRIES = 5;
const TEARDOWN_TRIES = 3;

/** After so long n8n takes up the publication of a process that died. */
const LEASE_MS = 120_000;

/** Who could not publish, because n8n was away, comes back so long after its start, and publishes then. */
const RETURN_MS = { from: 60_000, within: 1_800_000 };

/** So often n8n looks for triggers that run where they should not. */
const SWEEP_MS = 10_000;

const POLL_MS = 300_000;

const isOn = (version: Version | undefined): version is Version => version?.trigger === 'on';
const hasWebhook = ({ receiveBy }: Version) => receiveBy === 'webhook';

/** Whether n8n finds nothing changed in the trigger itself. */
function isSameTrigger(one: Version | undefined, other: Version | undefined): boolean {
	const own = (version: Version | undefined) => JSON.stringify({ ...version, otherRevision: 0 });
	return own(one) === own(other);
}

/** What a person asked for, until n8n has done it. */
interface Order {
	version: Version | undefined;
	/** Whether n8n has begun with it. */
	hasBegun?: boolean;
}

/** Publishing and unpublishing, and what n8n does at a start (n8n-facts 1, 3, 4, 5). */
export class Publication {
	/** Whether the last publication failed, or a start: the workflow looks published, and the editor says what failed. */
	hasFailed = false;

	private readonly n8n: N8n;

	private readonly orders: Order[] = [];

	private busy: N8nProcess | undefined;

	/** What closes the trigger, by the process that runs `trigger()`. */
	private readonly closers = new Map<N8nProcess, (() => Promise<void>) | undefined>();

	/** Counts the lives of the other trigger of the workflow, which polls. */
	private otherLife = 0;

	constructor(n8n: N8n) {
		this.n8n = n8n;
	}

	/** Whether n8n has still to do what a person asked for. */
	get isBusy(): boolean {
		return this.orders.length > 0;
	}

	/** A person publishes a version, or unpublishes; if n8n is away, when he finds it back. */
	request(version: Version | undefined): void {
		this.orders.push({ version });
		this.serve();
	}

	/** A main process starts and leads, or takes over the lead. */
	onStart(main: N8nProcess, activation: 'init' | 'leadershipChange'): void {
		const { timeline, ways } = this.n8n;
		const isRedone = ways.usesPublicationService && this.orders[0]?.hasBegun === true;
		// By the time and no random number, so that all else in a world stays as it is.
		const inMs = isRedone ? LEASE_MS : RETURN_MS.from + (timeline.now % RETURN_MS.within);
		const initialize = async () => {
			// Who led before may still publish, and n8n publishes a workflow once at a time.
			while (this.busy?.isAlive === true) await main.pause(1_000);
			this.busy = main;
			await this.initialize(main, activation);
		};
		void initialize().then(() => {
			this.busy = undefined;
			timeline.after(inMs, () => this.serve(), main);
		});
	}

	/** A main process starts, and another one leads: it runs no trigger, and on the older path it calls the hooks. */
	onFollow(main: N8nProcess): void {
		const { database, ways, timeline } = this.n8n;
		const { published } = database;
		const copy = database.copyStaticData(main.time);
		if (!ways.usesPublicationService && isOn(published) && hasWebhook(published))
			void this.register(main, published, copy, 'init').then(() => database.saveStaticData(copy, 'activation'));
		timeline.after(RETURN_MS.from, () => this.serve(), main);
	}

	/** The process leads no more, or stops. It goes on with what it publishes. */
	stepDown(main: N8nProcess): void {
		if (this.busy === main) this.n8n.timeline.after(SWEEP_MS, () => this.stepDown(main), main);
		else if (!main.isReady || this.n8n.main !== main) void this.close(main);
	}

	private async close(main: N8nProcess): Promise<void> {
		const close = this.closers.get(main);
		this.closers.delete(main);
		await close?.();
	}

	/** Tests the trigger in the editor: registers a subscription for the test, and removes it a little later. */
	async test(version: Version): Promise<void> {
		const { main } = this.n8n;
		if (main?.isReady !== true) return;
		const copy = this.n8n.database.copyStaticData(main.time, true);
		const hook = async (name: 'checkExists' | 'create' | 'delete') => {
			const mode = name === 'delete' ? 'internal' : 'manual';
			const how = { activation: mode === 'manual' ? 'manual' : 'update', mode, isTest: true };
			const context = hookContext(this.n8n.surroundings, main, version, copy, how);
			return await main.trigger.webhookMethods.default[name].call(context);
		};
		const listen = async () => (await hook('checkExists')) || (await hook('create'));
		await listen().catch(() => undefined);
		await main.pauseBetween(1_000, 120_000);
		await hook('delete').catch(() => undefined);
	}

	private serve(): void {
		const { main } = this.n8n;
		const [order] = this.orders;
		if (main?.isReady !== true || this.busy?.isAlive === true || order === undefined) return;
		this.busy = main;
		order.hasBegun = true;
		void this.perform(main, order).then((isDone) => {
			this.orders.shift();
			this.busy = undefined;
			this.hasFailed = !isDone;
			// On the older path nothing is published then.
			this.n8n.observer.onPublished(isDone ? order.version : this.n8n.database.published, isDone);
			this.serve();
		});
	}

	private async perform(main: N8nProcess, { version }: Order): Promise<boolean> {
		const { database, ways, observer } = this.n8n;
		observer.onPublishing(version);
		await main.pauseBetween(10, ways.busyMs);
		while (database.isLocked) await main.pause(500);
		const old = database.published;
		// What a failed publish of the same trigger has left running is neither taken down nor closed.
		const isSame = ways.usesPublicationService && isSameTrigger(old, version);
		const isKept = isSame && this.isRegistered(main);
		if (isOn(old) && !isSame) await this.tearDown(main, old);
		database.published = version;
		if (version === undefined) this.otherLife++;
		await main.pauseBetween(5, ways.busyMs);
		if (!isOn(version) || isKept) {
			if (old === undefined && version !== undefined) this.startOther(main, database.copyStaticData(main.time));
			return true;
		}
		const isDone = await this.activate(main, version, old === undefined ? 'activate' : 'update');
		// On the older path a workflow whose activation fails is not active.
		if (!isDone && !ways.usesPublicationService) database.published = undefined;
		return isDone;
	}

	private isRegistered(main: N8nProcess): boolean {
		const { published, hasRoute } = this.n8n.database;
		return this.closers.has(main) && (published === undefined || !hasWebhook(published) || hasRoute);
	}

	private async initialize(main: N8nProcess, activation: 'init' | 'leadershipChange'): Promise<void> {
		const { database } = this.n8n;
		const { published } = database;
		if (published === undefined) return;
		while (database.isLocked) await main.pause(500);
		if (isOn(published)) {
			const mode = activation === 'init' ? await this.startMode(main) : activation;
			this.hasFailed = !(await this.activate(main, published, mode));
		} else this.startOther(main, database.copyStaticData(main.time));
	}

	/**
	 * Each ten seconds, the publication service publishes what the start has not come to. The time decides, and no random
	 * number, so that all else in a world stays as it is.
	 */
	private async startMode(main: N8nProcess): Promise<'init' | 'update'> {
		const { ways, timeline } = this.n8n;
		const isLate = ways.usesPublicationService && (timeline.now / 1_000) % 1 < ways.lateStarts;
		if (!isLate) return 'init';
		await main.pause(10_000 + (timeline.now % ways.lateStartMs));
		return 'update';
	}

	private async tearDown(main: N8nProcess, version: Version): Promise<void> {
		const { database, surroundings, ways, random } = this.n8n;
		const copy = database.copyStaticData(main.time);
		database.hasRoute = false;
		await this.close(main);
		if (!hasWebhook(version)) return;
		// On the older path, the main process does it that the person has reached.
		const isAnywhere = ways.mains > 1 && !ways.usesPublicationService;
		const where = isAnywhere ? random.pick([main, ...this.n8n.ready('main')]) : main;
		this.busy = where;
		const context = hookContext(surroundings, where, version, copy, { activation: 'update', mode: 'internal' });
		const remove = async () => await where.trigger.webhookMethods.default.delete.call(context);
		await this.retry(where, remove, TEARDOWN_TRIES);
		database.saveStaticData(copy, 'activation');
		this.busy = main;
	}

	private async activate(main: N8nProcess, version: Version, activation: string): Promise<boolean> {
		const { database, ways } = this.n8n;
		const copy = database.copyStaticData(main.time);
		const register = async () => !hasWebhook(version) || (await this.register(main, version, copy, activation));
		const run = async () => await this.retry(main, async () => await this.run(main, version, copy, activation));
		const isDone = ways.usesPublicationService
			? (await Promise.all([register(), run()])).every(Boolean)
			: (await register()) && (await run());
		database.saveStaticData(copy, 'activation');
		if (activation !== 'update') this.startOther(main, copy);
		return isDone;
	}

	private async register(
		main: N8nProcess,
		version: Version,
		copy: StaticDataCopy,
		activation: string,
	): Promise<boolean> {
		const { database, surroundings, ways } = this.n8n;
		const { checkExists, create, delete: remove } = main.trigger.webhookMethods.default;
		const context = hookContext(surroundings, main, version, copy, { activation, mode: 'trigger' });
		const attempt = async () => {
			database.hasRoute = true;
			const isThere = await checkExists.call(context);
			if (!isThere) await create.call(context);
		};
		const undo = async () => {
			const cleared = ways.usesPublicationService ? copy : database.copyStaticData(main.time);
			const how = { activation: 'update', mode: 'internal' };
			await remove.call(hookContext(surroundings, main, version, cleared, how)).catch(() => undefined);
			database.saveStaticData(cleared, 'activation');
			database.hasRoute = false;
		};
		const isStart = ['init', 'leadershipChange'].includes(activation);
		const tries = ways.usesPublicationService || isStart ? ACTIVATION_TRIES : 1;
		return await this.retry(main, attempt, tries, undo);
	}

	/** Runs `trigger()`. Its context keeps the copy of static data: a later `emit` saves that, if it was changed. */
	private async run(main: N8nProcess, version: Version, copy: StaticDataCopy, activation: string): Promise<void> {
		let isOver = false;
		const outlets = this.n8n.executions.outletsOf(main, copy);
		const { surroundings } = this.n8n;
		const context = triggerContext(surroundings, main, version, copy, activation, outlets, () => isOver);
		const { closeFunction } = await main.trigger.trigger.call(context);
		isOver = true;
		this.closers.set(main, closeFunction);
	}

	/** Tries with the pauses of n8n: 1, 2, 4, 8 s. Returns whether it went well in the end. */
	private async retry(
		main: N8nProcess,
		attempt: () => Promise<unknown>,
		tries = ACTIVATION_TRIES,
		undo = async () => {},
	): Promise<boolean> {
		for (let tried = 1; ; tried++) {
			const isDone = await attempt().then(
				() => true,
				() => false,
			);
			if (isDone) return true;
			await undo();
			if (tried === tries) return false;
			await main.pause(1_000 * 2 ** (tried - 1));
		}
	}

	/** The other trigger of the workflow polls, keeps a cursor in its static data, and finds something each time. */
	private startOther(main: N8nProcess, copy: StaticDataCopy): void {
		const { database, timeline, ways } = this.n8n;
		if (!ways.hasOtherTrigger) return;
		const life = ++this.otherLife;
		const poll = () => {
			if (life !== this.otherLife) return;
			const part = copy.root['node:Other'];
			const cursor = typeof part === 'object' && part !== null && 'cursor' in part ? Number(part.cursor) : 0;
			copy.root['node:Other'] = { cursor: cursor + 1 };
			copy.isChangedByOthers = true;
			database.saveStaticData(copy, 'emit');
			timeline.after(POLL_MS, poll, main);
		};
		timeline.after(POLL_MS / 2, poll, main);
	}
}
