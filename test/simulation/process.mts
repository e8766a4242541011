import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import ts from 'typescript';
import type { IDataObject, INodeExecutionData, ITriggerResponse, IWebhookResponseData } from 'n8n-workflow';
import { root } from '../support/paths.mts';
import type { Random } from './random.mts';
import type { Timeline } from './timeline.mts';

/** The trigger as n8n knows it: what it calls. */
export interface TriggerDoors {
	webhookMethods: { default: Record<'checkExists' | 'create' | 'delete', (this: object) => Promise<boolean>> };
	webhook(this: object): Promise<IWebhookResponseData>;
	trigger(this: object): Promise<ITriggerResponse>;
	execute(this: object): Promise<INodeExecutionData[][]>;
}

const NODE_FILE = join(root, 'nodes', 'Argyle', 'ArgyleTrigger.node.ts');
const CLOCK_FILE = join(root, 'nodes', 'Argyle', 'utils', 'clock.ts');

/** What a module of the package finds in its scope: time and chance are those of its process. */
const SCOPE = ['exports', 'require', 'module', 'Date', 'Math', 'AbortSignal'];

const TIMEOUT = new DOMException('no answer', 'TimeoutError');

const requireInstalled = createRequire(NODE_FILE);

type CompiledModule = (...scope: unknown[]) => void;
const compiled = new Map<string, CompiledModule>();

/** A file of the package, by its path under nodes/Argyle, with another text in one place. */
export interface Change {
	file: string;
	find: string;
	replace: string;
}

let planted: Change | undefined;

/** Processes that start from now on have the file changed so. Throws when the text is not there, or not once. */
export function plant(change: Change | undefined): void {
	if (change === planted) return;
	planted = change;
	compiled.clear();
	if (change !== undefined) sourceOf(join(root, 'nodes', 'Argyle', change.file));
}

function sourceOf(file: string): string {
	const source = readFileSync(file, 'utf8');
	if (planted === undefined || file !== join(root, 'nodes', 'Argyle', planted.file)) return source;
	const [before, after, ...more] = source.split(planted.find);
	if (after === undefined || more.length > 0) throw new Error(`${planted.file} does not have once: ${planted.find}`);
	return [before, after].join(planted.replace);
}

/** Each file is compiled once; each process of n8n runs it anew, so that it has memory of its own. */
function compile(file: string): CompiledModule {
	const existing = compiled.get(file);
	if (existing !== undefined) return existing;
	const { outputText } = ts.transpileModule(sourceOf(file), {
		compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.CommonJS, esModuleInterop: true },
		fileName: file,
	});
	const compiledFunction: Function = compileFunction(outputText, SCOPE, { filename: file });
	const created: CompiledModule = (...scope) => void Reflect.apply(compiledFunction, undefined, scope);
	compiled.set(file, created);
	return created;
}

const isDoors = (value: unknown): value is TriggerDoors =>
	typeof value === 'object' && value !== null && 'webhookMethods' in value && 'trigger' in value && 'execute' in value;

/** A process of n8n: its memory, with the package loaded into it, and its clock. What it waits for dies with it. */
export class N8nProcess {
	isAlive = true;

	/** Whether it has started, and takes calls. */
	isReady = false;

	readonly trigger: TriggerDoors;

	readonly startedAt: number;

	private readonly timeline: Timeline;

	private readonly random: Random;

	/** By how much its clock is ahead of Argyle's. */
	private readonly clockOffset: () => number;

	private readonly modules = new Map<string, { exports: IDataObject }>();

	private readonly scope: unknown[];

	constructor(timeline: Timeline, random: Random, clockOffset: () => number) {
		this.timeline = timeline;
		this.startedAt = timeline.now;
		this.random = random;
		this.clockOffset = clockOffset;
		this.scope = [this.makeDate(), Object.create(Math, { random: { value: random.next } }), this.makeAbortSignal()];
		const { clock, paceClock }: { clock?: unknown; paceClock?: unknown } = this.load(CLOCK_FILE);
		const pause = async (ms: number, signal?: AbortSignal) => await this.sleep(ms, signal);
		const turn = async () => await this.sleep(0);
		Object.assign(Object(clock), { pause, turn, uptime: () => timeline.now - this.startedAt });
		Object.assign(Object(paceClock), { pause });
		const { ArgyleTrigger }: { ArgyleTrigger?: unknown } = this.load(NODE_FILE);
		const node: unknown = typeof ArgyleTrigger === 'function' ? Reflect.construct(ArgyleTrigger, []) : undefined;
		if (!isDoors(node)) throw new Error('the trigger was not loaded');
		this.trigger = node;
	}

	/** What its clock shows. */
	get time(): number {
		return Math.floor(this.timeline.now + this.clockOffset());
	}

	kill(): void {
		this.isAlive = this.isReady = false;
	}

	async pause(ms: number): Promise<void> {
		await this.timeline.pause(ms, this);
	}

	async pauseBetween(from: number, to: number): Promise<void> {
		await this.pause(this.random.mostlyShort(from, to));
	}

	/** As `clock.pause` of the package. */
	private async sleep(ms: number, signal?: AbortSignal): Promise<void> {
		if (signal?.aborted === true) return;
		let end = () => {};
		const over = new Promise<void>((resolve) => (end = resolve));
		this.timeline.after(ms, end, this);
		signal?.addEventListener('abort', end);
		await over;
		signal?.removeEventListener('abort', end);
	}

	private load(file: string): IDataObject {
		const existing = this.modules.get(file);
		if (existing !== undefined) return existing.exports;
		const module = { exports: {} };
		this.modules.set(file, module);
		const require = (name: string): unknown =>
			name.startsWith('.') ? this.load(`${join(dirname(file), name)}.ts`) : requireInstalled(name);
		compile(file)(module.exports, require, module, ...this.scope);
		return module.exports;
	}

	private makeDate(): DateConstructor {
		const now = () => this.time;
		return new Proxy(Date, {
			construct: (target, values) => Reflect.construct(target, values.length === 0 ? [now()] : values),
			get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
		});
	}

	private makeAbortSignal(): typeof AbortSignal {
		const timeout = (ms: number): AbortSignal => {
			const controller = new AbortController();
			this.timeline.after(ms, () => controller.abort(TIMEOUT), this);
			return controller.signal;
		};
		return new Proxy(AbortSignal, {
			get: (target, name) => (name === 'timeout' ? timeout : Reflect.get(target, name)),
		});
	}
}
