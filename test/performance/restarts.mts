// `npm run load:restarts`: what a delivery gets while n8n restarts, from n8n itself, and from a proxy before it that answers 503 for it:
// then Argyle sends everything again, 30 s later.
import { type ActivationMode, N8nFixture } from '../support/n8n/fixture.mts';
import { closeAct, openAct, watchAddresses } from './acts.mts';
import { THERE } from './address.mts';
import { startProxy } from './proxy.mts';
import { argyleSide } from './sides.mts';
import { lengthOf, type Span } from './memoryWatch.mts';

const RESTARTS = 3;
const LATENCY_MS = 100;
const TIMING = { timeoutMs: 10_000, retryAfterMs: 30_000 };

/** After these Argyle sends again; `no answer` is its time-out. */
const SENT_AGAIN = /^(429|500|502|503|504|no answer)/;

const isLost = ({ what }: Span) => what !== THERE && !SENT_AGAIN.test(what);

/** Spans in their order, from the first to the last at which no delivery was taken. */
const told = (spans: Span[]) =>
	spans
		.slice(1, -1)
		.map(({ what, from, to }) => `${what} ${((to - from) / 1_000).toFixed(2)} s`)
		.join(' → ');

const paths: ActivationMode[] = ['publication', 'legacy'];
let lostBehindProxy = 0;
let longest = 0;
console.log(`| n8n's path | asked | a call to the trigger's address gets | lost, s |\n|---|---|---|---|`);
for (const path of paths) {
	const proxy = await startProxy();
	const world = await N8nFixture.start(path, { WEBHOOK_URL: `${proxy.origin}/` });
	proxy.standBefore(world.n8n.origin);
	const act = await openAct(world, await argyleSide(world.client, LATENCY_MS, TIMING));
	for (let round = 0; round < RESTARTS; round++) {
		const urls = [act.url, act.url.replace(world.n8n.origin, proxy.origin)];
		const [direct = [], proxied = []] = await watchAddresses(urls, async () => await world.restart('asked'));
		for (const [asked, spans] of Object.entries({ 'n8n itself': direct, 'the proxy': proxied }))
			console.log(`| ${path} | ${asked} | ${told(spans)} | ${(lengthOf(spans.filter(isLost)) / 1_000).toFixed(2)} |`);
		lostBehindProxy += lengthOf(proxied.filter(isLost));
		longest = Math.max(longest, lengthOf(proxied.filter(({ what }) => what !== THERE)));
	}
	await closeAct(world, act);
	await world.end();
	await proxy.stop();
}
const isKept = lostBehindProxy === 0 && longest < TIMING.retryAfterMs;
console.log(
	isKept
		? '\n1 passed, 0 failed'
		: `\n0 passed, 1 failed: behind the proxy ${lostBehindProxy} ms of deliveries are lost, and it says 503 for ${longest} ms`,
);
process.exitCode = isKept ? 0 : 1;
