import type { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { ApplicationError, type IDataObject, type INodeExecutionData, ObservableObject } from 'n8n-workflow';
import { isJson } from '../support/json.mts';
import type { Argyle } from './argyle.mts';
import { type Database, type Execution, type StaticDataCopy, TRIGGER_NAME, type Version } from './database.mts';
import type { N8nProcess } from './process.mts';
import { chosenOthers, choosesForms } from './wishes.mts';

/** What a person has put into the credential of each account, and may mistype or replace there. */
export interface Credential {
	keyId: string;
	keySecret: string;
}

/** Where the trigger runs: what each of n8n's contexts knows. */
export interface Surroundings {
	argyle: Argyle;
	database: Database;
	credentials: Map<string, Credential>;
	/** Whether the parameters are expressions, which n8n evaluates only while it calls the node. */
	hasExpressions: boolean;
	workflowId: string;
	url: string;
	testUrl: string;
	/** How long the credential, or another small thing in the database, takes. */
	busyMs: number;
	/** A call to an address of this n8n's own. */
	callUrl(from: N8nProcess, options: IDataObject): Promise<unknown>;
}

const NODE_ID = '3f6b1c1e-0000-4000-8000-00000000000a';
const ENVIRONMENT = { environment: 'custom', baseUrl: 'https://api.argyle.test' };

const logger = { debug() {}, info() {}, warn() {}, error() {} };

const copyOf = <T,>(value: T): T => JSON.parse(JSON.stringify(value));

function parametersOf(version: Version): IDataObject {
	const { receiveBy, catchUp, revision } = version;
	const hasForms = choosesForms(version);
	const wanted = [...(hasForms ? ['user_forms.submitted'] : []), ...chosenOthers(version)];
	return {
		receiveBy,
		events: wanted.length > 0 ? wanted : ['user_forms.removed'],
		includeUserForm: revision % 2 === 0 && hasForms,
		options: receiveBy === 'polling' ? {} : { catchUp },
	};
}

async function getCredentials({ credentials, database, busyMs }: Surroundings, process: N8nProcess, version: Version) {
	await process.pauseBetween(0, busyMs);
	if (database.isLocked) await process.pause(50);
	const credential = credentials.get(version.tenant);
	return { ...ENVIRONMENT, apiKeyId: credential?.keyId, apiKeySecret: credential?.keySecret };
}

function requestHelpers({ argyle, callUrl }: Surroundings, process: N8nProcess) {
	return {
		async httpRequestWithAuthentication(_type: string, options: IDataObject, more: { credentialsDecrypted?: unknown }) {
			const { data } = isJson(more.credentialsDecrypted) ? more.credentialsDecrypted : {};
			if (!isJson(data)) throw new ApplicationError('no credential');
			const url = new URL(String(options.url));
			const query = { ...Object.fromEntries(url.searchParams), ...(isJson(options.qs) ? options.qs : {}) };
			const call = {
				method: String(options.method),
				url: String(options.url),
				query,
				body: options.body,
				keyId: String(data.apiKeyId),
				keySecret: String(data.apiKeySecret),
			};
			const answer = argyle.answer(call, Number(options.timeout), async (ms) => await process.pause(ms));
			const response = await unlessAborted(answer, options.abortSignal);
			return options.encoding === 'stream' ? { ...response, body: Readable.from([response.body]) } : response;
		},
		async httpRequest(options: IDataObject) {
			return await unlessAborted(callUrl(process, options), options.abortSignal);
		},
	};
}

/** n8n's helper ends a request when its signal aborts. */
async function unlessAborted<T>(answer: Promise<T>, signal: unknown): Promise<T> {
	if (!(signal instanceof AbortSignal)) return await answer;
	return await new Promise<T>((resolve, reject) => {
		const abort = () => reject(Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' }));
		if (signal.aborted) abort();
		signal.addEventListener('abort', abort, { once: true });
		const forget = () => signal.removeEventListener('abort', abort);
		void answer.finally(forget).then(resolve, reject);
	});
}

/** What the contexts of all doors have. `isOver` says whether n8n's call of the door has ended. */
function common(
	surroundings: Surroundings,
	process: N8nProcess,
	version: Version,
	copy: StaticDataCopy,
	isOver = () => false,
) {
	const parameters = parametersOf(version);
	return {
		logger,
		getNode: () => ({
			id: NODE_ID,
			name: TRIGGER_NAME,
			type: 'n8n-nodes-argyle.argyleTrigger',
			typeVersion: 2,
			position: [0, 0],
			parameters,
			credentials: { argyleApi: { id: `credential-${version.tenant}`, name: 'Argyle' } },
		}),
		getWorkflow: () => ({ id: surroundings.workflowId, name: 'Forms', active: true }),
		getTimezone: () => 'America/New_York',
		getInstanceId: () => surroundings.url,
		getInstanceBaseUrl: () => new URL('/', surroundings.url).href,
		getNodeParameter(name: string, second?: unknown, third?: unknown) {
			const fallback = typeof second === 'number' ? third : second;
			if (isOver() && surroundings.hasExpressions)
				throw new ApplicationError('No bridge acquired for this context. Call acquire() first.');
			return copyOf(parameters[name] ?? fallback ?? null) ?? undefined;
		},
		getCredentials: async () => await getCredentials(surroundings, process, version),
		/** As `Workflow.getStaticData` of n8n-workflow. */
		getWorkflowStaticData(type: string): unknown {
			const key = type === 'node' ? `node:${TRIGGER_NAME}` : type;
			copy.root[key] ??= ObservableObject.create({}, copy.root);
			return copy.root[key];
		},
	};
}

export function hookContext(
	surroundings: Surroundings,
	process: N8nProcess,
	version: Version,
	copy: StaticDataCopy,
	{ activation, mode, isTest = false }: { activation: string; mode: string; isTest?: boolean },
) {
	return {
		...common(surroundings, process, version, copy),
		helpers: requestHelpers(surroundings, process),
		getMode: () => mode,
		getActivationMode: () => activation,
		getNodeWebhookUrl: () => (isTest ? surroundings.testUrl : surroundings.url),
		getWebhookName: () => 'default',
	};
}

/** What `emit` and `saveFailedExecution` of a trigger's context do. */
export interface TriggerOutlets {
	emit(data: INodeExecutionData[][], onDone: Deferred | undefined, key: string | undefined): void;
	saveFailedExecution(error: Error): void;
}

export interface Deferred {
	promise: Promise<unknown>;
	resolve(value: unknown): void;
	reject(error: Error): void;
}

function createDeferredPromise(): Deferred {
	let [resolve, reject]: [(value: unknown) => void, (error: Error) => void] = [() => {}, () => {}];
	const promise = new Promise((onResolved, onRejected) => ([resolve, reject] = [onResolved, onRejected]));
	return { promise, resolve, reject };
}

export function triggerContext(
	surroundings: Surroundings,
	process: N8nProcess,
	version: Version,
	copy: StaticDataCopy,
	activation: string,
	outlets: TriggerOutlets,
	isOver: () => boolean,
) {
	return {
		...common(surroundings, process, version, copy, isOver),
		helpers: { ...requestHelpers(surroundings, process), createDeferredPromise },
		getMode: () => 'trigger',
		getActivationMode: () => activation,
		emit: (data: INodeExecutionData[][], _response?: unknown, onDone?: Deferred, key?: string) =>
			outlets.emit(data, onDone, key),
		emitError: (error: Error) => outlets.saveFailedExecution(error),
		saveFailedExecution: outlets.saveFailedExecution,
	};
}

/** Node's response to a call, as far as a node uses it. */
export type ResponseToCall = EventEmitter & {
	statusCode: number;
	writableEnded: boolean;
	destroyed: boolean;
	headersSent: boolean;
	status(code: number): ResponseToCall;
	json(body: unknown): ResponseToCall;
};

export function webhookContext(
	surroundings: Surroundings,
	process: N8nProcess,
	version: Version,
	copy: StaticDataCopy,
	call: { body: string; headers: IDataObject; response: ResponseToCall; mode: string },
) {
	const request = { rawBody: Buffer.from(call.body), headers: call.headers, ip: '34.27.251.226', method: 'POST' };
	return {
		...common(surroundings, process, version, copy),
		helpers: requestHelpers(surroundings, process),
		getMode: () => call.mode,
		// For a test, too.
		getNodeWebhookUrl: () => surroundings.url,
		getHeaderData: () => call.headers,
		getBodyData: (): unknown => JSON.parse(call.body),
		getRequestObject: () => request,
		getResponseObject: () => call.response,
	};
}

export function executeContext(
	surroundings: Surroundings,
	process: N8nProcess,
	version: Version,
	copy: StaticDataCopy,
	execution: Execution,
) {
	const labels = new Map<string, string>();
	const checkProcessedAndRecord = async (values: unknown[], _scope: string, { maxEntries }: { maxEntries: number }) =>
		await surroundings.database.checkProcessed(values.map(String), maxEntries, process, surroundings.busyMs);
	return {
		...common(surroundings, process, version, copy),
		helpers: { ...requestHelpers(surroundings, process), checkProcessedAndRecord, createDeferredPromise },
		customData: {
			get: (key: string) => labels.get(key),
			set: (key: string, value: string) => void labels.set(key, value),
		},
		getMode: () => execution.mode,
		getExecutionId: () => String(execution.id),
		getExecutionCancelSignal: () => execution.abort.signal,
		getInputData: () => copyOf(execution.items),
		continueOnFail: () => false,
		addExecutionHints() {},
	};
}
