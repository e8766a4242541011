import { setTimeout as wait } from 'node:timers/promises';
import type { FakeArgyle } from '../support/fakeArgyle/index.mts';
import { startN8nFixture } from '../support/n8n/fixture.mts';
import { argyleTrigger, n8nNode } from '../support/n8n/nodes.mts';
import { publishWorkflow } from './contender.mts';
import { type Row, section } from './markdown.mts';

const ACCOUNTS = 200;
const MINUTES = 10;

/** The requests of published triggers to which nothing happens, each of another account, after a start of n8n. */
export async function* atRest(): AsyncGenerator<string> {
	const fixture = await startN8nFixture();
	const services: FakeArgyle[] = [];
	for (let count = 0; count < ACCOUNTS; count++) {
		const { argyle, credential } = await fixture.connectArgyle();
		services.push(argyle);
		await publishWorkflow(fixture.client, `Account ${count}`, [argyleTrigger(credential), n8nNode('Done', 'noOp')]);
	}
	await fixture.restart({ whileStopped: () => services.forEach(({ requests }) => requests.splice(0)) });
	await wait(MINUTES * 60_000);
	const times = services.flatMap(({ requests }) => requests.map(({ at }) => at)).sort((one, other) => one - other);
	const busiest = Math.max(...times.map((at, index) => times.findLastIndex((time) => time < at + 1_000) - index + 1));
	const refused = services.flatMap(({ requests }) => requests.filter(({ status }) => status === 429)).length;
	await fixture.stop();
	const row: Row = [ACCOUNTS, MINUTES, times.length, busiest, refused];
	yield section(
		'Published workflows at rest, each of another account',
		['accounts', 'minutes', 'requests', 'in the busiest second', '429s'],
		[row],
	);
}
