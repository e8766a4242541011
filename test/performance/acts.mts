import { setTimeout as wait } from 'node:timers/promises';
import { inARow, n8nNode, type SavedNode } from '../support/n8n/nodes.mts';
import type { StoredWorkflow } from '../support/n8n/client.mts';
import { until } from '../support/n8n/until.mts';
import type { N8nFixture } from '../support/n8n/fixture.mts';
import { lookAtAddress, THERE } from './address.mts';
import type { Side } from './sides.mts';
import { lengthOf, type Span, watch } from './memoryWatch.mts';

const LOOK_EVERY_MS = 20;
const WHOLE_DEADLINE_MS = 120_000;

/** A gap, in milliseconds: without the address in n8n, without a subscription, and without one or the other. */
export interface Gap {
	address: number;
	subscription: number;
	either: number;
}

/** A published workflow with the trigger of one side. */
export interface Act {
	side: Side;
	/** The trigger's address in n8n. */
	url: string;
	following: SavedNode;
	workflow: StoredWorkflow;
}

/** Publishes a workflow of a side's trigger. */
export async function openAct(world: N8nFixture, side: Side): Promise<Act> {
	const following = n8nNode('Done', 'noOp');
	const nodes = [side.trigger, following];
	const workflow = await world.client.createWorkflow(side.name, nodes, inARow(nodes));
	await world.client.publish(workflow);
	return { side, url: `${world.n8n.origin}/webhook/${side.trigger.webhookId}/webhook`, following, workflow };
}

/** Saves the trigger with the settings of a round, and publishes it. */
export async function change(world: N8nFixture, act: Act, round: number): Promise<void> {
	const nodes = [act.side.changed(round), act.following];
	act.workflow = await world.client.updateWorkflow(act.workflow, nodes, inARow(nodes));
	await world.client.publish(act.workflow);
}

/** Unpublishes, and stops the stand-in. */
export async function closeAct(world: N8nFixture, act: Act): Promise<void> {
	await world.client.unpublish(act.workflow.id);
	await act.side.stop();
}

/** Watches addresses while `work` is done, and until all of them take deliveries again; gives what each answered. */
export async function watchAddresses(urls: string[], work: () => Promise<void>): Promise<Span[][]> {
	const watches = urls.map((url) => watch(async () => await lookAtAddress(url), LOOK_EVERY_MS));
	await until('the addresses are there', WHOLE_DEADLINE_MS, async () =>
		watches.every((each) => each.latest() === THERE) ? true : undefined,
	);
	await work();
	// What is answered first may have been asked before the work.
	await wait(10 * LOOK_EVERY_MS);
	await until('the addresses are there again', WHOLE_DEADLINE_MS, async () =>
		watches.every((each) => each.latest() === THERE) ? true : undefined,
	);
	return await Promise.all(watches.map(async (each) => await each.stop()));
}

/** Watches an act's address and its subscription while `work` is done, and until both are there again. */
export async function gapDuring({ side, url }: Act, work: () => Promise<void>): Promise<Gap> {
	const subscription = watch(() => (side.subscriptions() > 0 ? THERE : 'none'), LOOK_EVERY_MS / 4);
	const [answers = []] = await watchAddresses([url], async () => {
		await work();
		await until('the subscription is there again', WHOLE_DEADLINE_MS, async () =>
			subscription.latest() === THERE ? true : undefined,
		);
	});
	const gone = (spans: Span[]) => spans.filter(({ what }) => what !== THERE);
	const without = gone(await subscription.stop());
	return {
		address: lengthOf(gone(answers)),
		subscription: lengthOf(without),
		either: lengthOf([...gone(answers), ...without]),
	};
}
