// `npm run contract`: whether a service answers as we believe that Argyle does. Without --url, the fake Argyle.
import { CHECKS } from './checks/index.mts';
import type { Result } from './check.mts';
import { startFakeTarget } from './fakeTarget.mts';
import { saveSeen } from './fidelity.mts';
import { HELP, readOptions, readTarget, type Target, WrongOptions } from './options.mts';
import { OWN_NAME } from './ownObjects.mts';
import { record } from './record.mts';
import { count, lineOf, summaryOf } from './report.mts';
import { NotReady, runChecks } from './session.mts';

const WITHOUT_ANSWER = 2;
const INTERRUPTED = 130;

/** What a run is about to do, before it does it. */
function announcement({ origin, environment, writes, mailTo, deliveries, rate }: Target): string {
	const lines = [
		`Asks ${origin} (${environment}), ${rate} requests a second. No value of a record is shown or stored.`,
	];
	if (writes)
		lines.push(
			`Creates webhook subscriptions, users and reports of its own ("${OWN_NAME}"), and removes them at the end.`,
			'The reports are of a connected user: ten within a day are all that Argyle makes of one.',
		);
	if (writes && mailTo !== undefined) lines.push(`Sends an invite to ${mailTo}, more than once.`);
	if (writes && deliveries?.url !== undefined)
		lines.push(`Has deliveries sent to ${deliveries.url}, and waits for them at port ${deliveries.port}.`);
	return lines.join('\n');
}

/** Aborted at the first Ctrl-C or SIGTERM. A second Ctrl-C ends at once, and leaves what was created. */
function interruption(): AbortSignal {
	const controller = new AbortController();
	const interrupt = () => {
		console.log(`\nInterrupted. Removes what it has created (Ctrl-C again: leaves what is named "${OWN_NAME}") …`);
		process.once('SIGINT', () => process.exit(INTERRUPTED));
		controller.abort();
	};
	process.once('SIGINT', interrupt);
	process.once('SIGTERM', interrupt);
	return controller.signal;
}

async function contract(options: ReturnType<typeof readOptions>): Promise<number> {
	const { url } = options;
	const fake = url === undefined ? await startFakeTarget() : undefined;
	const target = fake?.target ?? readTarget({ ...options, url: url ?? '' }, process.env);
	const where = fake === undefined ? target.origin : 'the fake Argyle';
	const startedAt = Date.now();
	const print = (result: Result) => console.log(lineOf(result));
	if (fake === undefined) console.log(`${announcement(target)}\n`);
	const session = await (async () => {
		const done = await runChecks(target, CHECKS, interruption(), print);
		if (options.record && !done.wasInterrupted)
			console.log(
				`\nStored in ${await record(target, fake === undefined ? new URL(target.origin).hostname : 'fakeArgyle')}`,
			);
		return done;
	})().finally(async () => await fake?.argyle.stop());
	const { results, left, wasInterrupted, requestCount } = session;
	console.log(`\n${summaryOf(results)}`);
	if (left.length > 0) console.log(`\nCould not be removed, remove it by hand:\n- ${left.join('\n- ')}`);
	if (options.save && !wasInterrupted) saveSeen(results, where);
	console.log(`\n${where}: ${requestCount} requests in ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`);
	// The fake shows everything: what can't be told of it is not checked.
	const failed = results.filter(({ verdict }) => verdict !== 'holds').length;
	const failures = fake === undefined ? count(results, 'differs') : failed;
	console.log(`${count(results, 'holds')} passed, ${failures + left.length} failed`);
	if (wasInterrupted) return INTERRUPTED;
	return failures + left.length === 0 ? 0 : 1;
}

try {
	const options = readOptions(process.argv.slice(2));
	if (options.help) console.log(HELP);
	else process.exitCode = await contract(options);
} catch (error) {
	const isExpected = error instanceof NotReady || error instanceof WrongOptions;
	const isUnknownOption = error instanceof TypeError && 'code' in error;
	if (!isExpected && !isUnknownOption) throw error;
	console.error(isExpected ? error.message : `${String(error)}\n\n${HELP}`);
	process.exitCode = WITHOUT_ANSWER;
}
