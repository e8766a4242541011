import type { FakeArgyle, StoredRecord } from '../../test/support/fakeArgyle/index.mts';
import { connectAccount } from '../../test/support/fakeArgyle/accountLife.mts';
import { createdAt } from '../../test/support/fakeArgyle/recordTypes.mts';
import {
	completeVerification,
	isUnfinished,
	moveVerification,
	stateOf,
} from '../../test/support/fakeArgyle/verificationSteps.mts';
import { isJson, type Json } from '../../test/support/json.mts';
import { personName } from './people.mts';

/** Long enough to see that a report is not there at once. */
const WORKS_FOR_MS = 5_000;

const MAX_ORDERS = 20;

/** What was ordered, the latest first: all that is younger than what the fake Argyle makes up. */
function ordered(argyle: FakeArgyle, name: 'reports' | 'verifications'): StoredRecord[] {
	const records = [...argyle.records.of(name).values()];
	return records.filter(({ created_at: at }) => Date.parse(String(at)) > Date.parse(createdAt(0))).reverse();
}

/** Argyle's own work on what was ordered: reports become generated, and verifications that have their data complete. */
export function goOnWithOrders(argyle: FakeArgyle): void {
	const isDone = ({ updated_at: updated, created_at: created }: StoredRecord) =>
		Date.parse(argyle.now()) - Date.parse(String(updated ?? created)) >= WORKS_FOR_MS;
	for (const report of ordered(argyle, 'reports'))
		if (report.status === 'generating' && isDone(report)) argyle.completeReport(report.id);
	for (const verification of ordered(argyle, 'verifications'))
		if (stateOf(verification) === 'PROCESSING' && isDone(verification)) completeVerification(argyle, verification);
}

export function ordersOf(argyle: FakeArgyle): object[] {
	const rows = [
		...ordered(argyle, 'verifications').map((verification) => ({
			...{ verification: verification.id, what: 'Verification', status: stateOf(verification) },
			...{ record: verification, type: isJson(verification.report) ? verification.report.type : '' },
			isUnfinished: isUnfinished(verification),
		})),
		...ordered(argyle, 'reports').map((report) => ({
			...{ what: 'Report', status: report.status, record: report, type: report.type, isUnfinished: false },
		})),
	];
	return rows
		.sort((one, other) => String(other.record.created_at).localeCompare(String(one.record.created_at)))
		.slice(0, MAX_ORDERS)
		.map(({ record, ...row }) => ({ ...row, person: personName(argyle, record.user) }));
}

/** What the person of a verification does, by the page's name for it; each returns what is said of it. */
const ACTS: Record<string, (argyle: FakeArgyle, verification: StoredRecord) => string> = {
	act(argyle, verification) {
		moveVerification(argyle, verification, 'PROCESSING', 'authenticated');
		if (verification.data_source !== 'documents') void connectAccount(argyle, String(verification.user));
		return 'did what was asked: the report will be there in some seconds.';
	},
	giveUp(argyle, verification) {
		moveVerification(argyle, verification, 'PAUSED', 'connection_attempted');
		return 'could not log in, and gave up: the verification is paused.';
	},
};

export function letOrderedPersonAct(argyle: FakeArgyle, { verification, act }: Json): string {
	const known = argyle.records.of('verifications').get(String(verification));
	const perform = Object.hasOwn(ACTS, String(act)) ? ACTS[String(act)] : undefined;
	if (known === undefined || perform === undefined) throw new Error('There is no such verification.');
	const name = personName(argyle, known.user);
	return isUnfinished(known) ? `${name} ${perform(argyle, known)}` : `The verification of ${name} has ended.`;
}
