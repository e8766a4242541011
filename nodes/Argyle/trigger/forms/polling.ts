import type { ITriggerFunctions } from 'n8n-workflow';

import { type ArgyleClient, connect } from '../../transport/client';
import { CatchUp, WATCH_TIMING } from './missedForms';
import { isStart, PUBLISH_TIMING } from '../lifecycle';
import { FormList } from './formList';
import { eventName } from '../settings';
import { lastRegistration } from './bookmark';
import { readState, writeState } from '../staticData';
import { isKnownForm, type TriggerMemory, triggerMemory } from '../triggerMemory';

/** Which forms were submitted since the last look. Nothing is registered at Argyle. */
class FormPolling {
	readonly intervalMs = 60_000;

	private readonly catchUp: CatchUp;

	private readonly memory: TriggerMemory;

	private readonly context: ITriggerFunctions;

	constructor(context: ITriggerFunctions, closed: AbortSignal) {
		this.context = context;
		this.catchUp = new CatchUp(context, closed);
		this.memory = triggerMemory(context);
	}

	/**
	 * While a person publishes, so that only what is submitted from then on starts the workflow; a changed trigger goes on
	 * where it was. Throws ArgyleError when Argyle can't be asked.
	 */
	async begin(): Promise<void> {
		const client = await connect(this.context, PUBLISH_TIMING);
		if (this.context.getActivationMode() === 'activate') this.memory.bookmark = undefined;
		await this.ensureBookmark(client);
		const staticData = this.context.getWorkflowStaticData('node');
		const { registered, bookmark } = this.memory;
		writeState(staticData, { ...readState(staticData), registered, bookmark });
	}

	async look(): Promise<number> {
		const client = await connect(this.context, WATCH_TIMING);
		await this.ensureBookmark(client);
		await this.catchUp.run(client, { name: eventName(this.context), deliveryTimeMs: 0 });
		return this.intervalMs;
	}

	/**
	 * A bookmark is one of Argyle's times in an account: another key has to show a form that is known from before. An
	 * account without forms starts the workflow with its first.
	 */
	private async ensureBookmark(client: ArgyleClient): Promise<void> {
		const { memory } = this;
		const { account, environment } = client;
		const last = lastRegistration(this.context);
		if (memory.bookmark !== undefined && last?.account === account) return;
		const list = new FormList(client);
		const newest = await list.newestForm();
		const isKnown = list.forms.some(({ id }) => id === last?.id || isKnownForm(memory, id));
		memory.registered = { id: newest?.id, account, environment: environment.label };
		if (memory.bookmark === undefined || !isKnown) memory.bookmark = newest?.createdAt ?? 0;
	}
}

/** Throws ArgyleError when a person publishes and Argyle can't be asked. When n8n starts, the next look asks again. */
export async function startPolling(context: ITriggerFunctions, closed: AbortSignal): Promise<FormPolling> {
	const polling = new FormPolling(context, closed);
	if (!isStart(context)) await polling.begin();
	return polling;
}
