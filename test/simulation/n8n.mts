import type { IDataObject } from 'n8n-workflow';
import { type Argyle } from './argyle.mts';
import type { Credential, Surroundings } from './contexts.mts';
import { Database, type Version } from './database.mts';
import { Deliveries } from './incoming.mts';
import { Executions } from './executions.mts';
import { N8nProcess } from './process.mts';
import { Publication } from './publication.mts';
import type { Random } from './random.mts';
import type { Timeline } from './timeline.mts';

/** How this n8n behaves where n8n can behave in two ways: its settings, its version, its machine. */
export interface Ways {
	/** Main, webhook processes and workers, instead of one process. */
	isQueue: boolean;
	/** False as up to n8n 2.39: the hooks run before n8n answers, and for every workflow at every start. */
	usesPublicationService: boolean;
	/** Whether what `webhook()` writes into static data is saved when it starts an execution, too: 2.41 does not. */
	savesWebhookStaticData: boolean;
	/** As n8n 2.14: says nothing when an execution can't be stored. */
	isEmitSilent: boolean;
	/** Whether executions that went well are kept. */
	keepsSuccesses: boolean;
	hasExpressions: boolean;
	/** How many of n8n's starts come to the trigger so late that its publication service has published it before. */
	lateStarts: number;
	/** How late such a start is at most, beyond the ten seconds after which the publication service looks. */
	lateStartMs: number;
	/** How long a small thing takes at most: the database, n8n's own work. */
	busyMs: number;
	/** How long later nodes take at most. */
	laterNodesMs: number;
	/** Whether a Code node counts executions in static data. Workers have none, so there it would count for nobody. */
	hasCounter: boolean;
	/** What answers while n8n is away: nobody, or a proxy with this status. */
	proxyStatus: number | undefined;
	/** Whether n8n can call its own public address. */
	canCallItself: boolean;
	/** Whether another trigger of the workflow polls, and keeps its cursor in static data. */
	hasOtherTrigger: boolean;
	/** How many executions run at a time in one process. If undefined, n8n also forgets those that wait when it stops. */
	limit: number | undefined;
	/** Of several main processes, one leads. */
	mains: number;
}

/** What the world wants to know of an n8n. */
export interface Observer {
	/** An event has come to the node behind the trigger. */
	onStart(item: IDataObject): void;
	/** An execution has failed, or the trigger has reported a failure. */
	onFailure(message: string): void;
	/** n8n begins to publish (or unpublish, without a version), and has ended. */
	onPublishing(version: Version | undefined): void;
	onPublished(version: Version | undefined, isDone: boolean): void;
}

type Role = 'main' | 'webhook' | 'worker';

/** A main process that leads says so in Redis each three seconds, for the next ten; the others look as often. */
const LEADER = { renewMs: 3_000, lastsMs: 10_000 };

/** One installation of n8n: a database, and the processes that run now. */
export class N8n {
	readonly database: Database;

	readonly surroundings: Surroundings;

	readonly executions: Executions;

	readonly publication: Publication;

	readonly deliveries: Deliveries;

	readonly processes: Record<Role, Array<N8nProcess | undefined>>;

	/** Its workflows, each as an n8n with the same processes. */
	readonly workflows: N8n[] = [this];

	/** Whom Redis names, of several main processes. It may be dead. */
	private leader: N8nProcess | undefined;

	/** By how much its clocks are ahead of Argyle's, and each process's beyond that. */
	clockOffsetMs = 0;

	isRunning = false;

	/** Whether no worker takes an execution, and no delivery is answered in time. */
	isOverloaded = false;

	/** When workers died. */
	readonly workerDeaths: number[] = [];

	/** Whose execution a person has stopped: it need not run again. */
	readonly stopped = new Set<string>();

	/** Whose execution a person has had run again. */
	readonly retried = new Set<string>();

	readonly timeline: Timeline;

	readonly random: Random;

	readonly ways: Ways;

	readonly observer: Observer;

	constructor(
		timeline: Timeline,
		random: Random,
		ways: Ways,
		observer: Observer,
		shared: { argyle: Argyle; credentials: Map<string, Credential>; host: string },
	) {
		this.timeline = timeline;
		this.random = random;
		this.ways = ways;
		this.observer = observer;
		this.database = new Database(random, ways.isQueue);
		const { argyle, credentials, host } = shared;
		this.surroundings = {
			argyle,
			credentials,
			database: this.database,
			hasExpressions: ways.hasExpressions,
			busyMs: ways.busyMs,
			workflowId: 'workflow',
			url: `https://${host}/webhook/0a1b/webhook`,
			testUrl: `https://${host}/webhook-test/0a1b/webhook`,
			callUrl: async (from, options) => await this.deliveries.callFromInside(from, options),
		};
		this.executions = new Executions(this);
		this.publication = new Publication(this);
		this.deliveries = new Deliveries(this);
		const count = (role: Role) =>
			!ways.isQueue ? Number(role === 'main') : role === 'main' ? ways.mains : role === 'webhook' ? 2 : 3;
		const none = (role: Role): Array<N8nProcess | undefined> => Array.from({ length: count(role) }, () => undefined);
		this.processes = { main: none('main'), webhook: none('webhook'), worker: none('worker') };
	}

	/** The one that publishes, and runs `trigger()`. */
	get main(): N8nProcess | undefined {
		return this.ways.mains === 1 ? this.processes.main[0] : this.leader;
	}

	/** A second workflow, with all of its own but the processes and what becomes of them. */
	addWorkflow(observer: Observer): N8n {
		const database = new Database(this.random, this.ways.isQueue);
		const own = (text: string) => text.replace('0a1b', '0a1c');
		const { url, testUrl } = this.surroundings;
		const second: N8n = Object.assign(Object.create(this), {
			database,
			observer,
			stopped: new Set(),
			retried: new Set(),
		});
		const surroundings: Surroundings = {
			...this.surroundings,
			database,
			workflowId: 'second',
			url: own(url),
			testUrl: own(testUrl),
			callUrl: async (from, options) => await second.deliveries.callFromInside(from, options),
		};
		Object.assign(second, { surroundings });
		Object.assign(second, { executions: new Executions(second), publication: new Publication(second) });
		Object.assign(second, { deliveries: new Deliveries(second) });
		this.workflows.push(second);
		return second;
	}

	lock(isLocked: boolean): void {
		for (const { database } of this.workflows) database.isLocked = isLocked;
	}

	/** Those of a role that take work. */
	ready(role: Role): N8nProcess[] {
		return this.processes[role].filter((process) => process !== undefined).filter(({ isReady }) => isReady);
	}

	startAll(): void {
		this.isRunning = true;
		for (const role of ['main', 'webhook', 'worker'] as const)
			for (const place of this.processes[role].keys()) this.start(role, place);
	}

	stopAll(): void {
		this.isRunning = false;
		for (const role of ['main', 'webhook', 'worker'] as const)
			for (const place of this.processes[role].keys()) this.kill(role, place);
	}

	/** Starts a process unless it runs. */
	start(role: Role, place = 0): void {
		if (!this.isRunning || this.processes[role][place]?.isAlive === true) return;
		const drift = this.ways.isQueue ? this.random.between(-800, 800) : 0;
		const process = new N8nProcess(this.timeline, this.random, () => this.clockOffsetMs + drift);
		this.processes[role][place] = process;
		const begin = () => {
			process.isReady = true;
			for (const { executions } of this.workflows) if (role === 'main') executions.recover(process);
			if (role === 'main') this.onMain(process);
			for (const { executions } of this.workflows) executions.dispatch();
		};
		this.timeline.after(this.random.between(2_000, 9_000), begin, process);
	}

	/** As SIGKILL, or a machine that loses its power. */
	kill(role: Role, place = 0): void {
		const process = this.processes[role][place];
		if (process?.isAlive !== true) return;
		process.kill();
		if (role === 'worker') this.workerDeaths.push(this.timeline.now);
		for (const { deliveries, executions } of this.workflows) {
			deliveries.onKill(process);
			executions.onKill(process);
		}
		this.endLead(process, false);
	}

	private onMain(process: N8nProcess): void {
		if (this.ways.mains === 1 || this.leader === undefined) return this.lead(process, 'init');
		for (const { publication } of this.workflows) publication.onFollow(process);
	}

	private lead(process: N8nProcess, activation: 'init' | 'leadershipChange'): void {
		this.leader = process;
		for (const { publication } of this.workflows) publication.onStart(process, activation);
	}

	/** Redis forgets who leads: at once when he says so at his end. Whoever looks first leads then. */
	private endLead(process: N8nProcess, saysSo: boolean): void {
		const { timeline, random } = this;
		if (this.ways.mains === 1 || this.leader !== process) return;
		const takeOver = () => {
			const [first, ...others] = this.ready('main');
			if (this.leader === undefined && first !== undefined)
				this.lead(random.pick([first, ...others]), 'leadershipChange');
		};
		const forget = () => {
			this.leader = undefined;
			timeline.after(random.between(0, LEADER.renewMs), takeOver);
		};
		timeline.after(saysSo ? 0 : LEADER.lastsMs - random.between(0, LEADER.renewMs), forget);
	}

	/** The leader was held up until Redis forgot it, and finds out some seconds after another one leads. */
	changeLeader(): void {
		const former = this.leader;
		const next = this.ready('main').find((process) => process !== former);
		if (former?.isReady !== true || next === undefined) return;
		this.lead(next, 'leadershipChange');
		this.timeline.after(this.random.between(0, LEADER.renewMs), () => this.stepDown(former), former);
	}

	private stepDown(process: N8nProcess): void {
		for (const { publication } of this.workflows) publication.stepDown(process);
	}

	/** As SIGTERM: takes no more calls, lets executions go on for some seconds, and calls no hook. */
	stop(role: Role, place = 0): void {
		const process = this.processes[role][place];
		if (process?.isReady !== true) return;
		process.isReady = false;
		if (this.ways.mains > 1) this.stepDown(process);
		this.endLead(process, true);
		this.timeline.after(this.random.between(500, 20_000), () => this.kill(role, place), process);
	}
}
