import type { IDataObject } from 'n8n-workflow';

import type { ArgyleClient } from '../transport/client';
import { ArgyleError } from '../transport/errors';
import { clock } from '../utils/clock';
import { getRecord } from './records';
import { RECORD_TYPES } from './recordTypes';

/**
 * Each pause is a quarter of the time that the node has waited so far, but between 2 and 30 seconds. So the node learns
 * at most that much later that a report is ready. Ten minutes take 33 requests, and half an hour takes 73. Once the
 * pause is 30 seconds, 300 reports at once take ten requests a second; Argyle allows fifty.
 */
const PACE = { minMs: 2_000, maxMs: 30_000, part: 0.25 };

const MINUTE_MS = 60_000;

/**
 * Asks for the report again. If Argyle is away for a moment, returns what was known before, so that it is asked later.
 */
async function lookAgain(client: ArgyleClient, report: IDataObject): Promise<IDataObject> {
	return await getRecord(client, RECORD_TYPES.report, String(report.id)).catch((error: unknown) => {
		const isStopped = client.signal?.aborted === true;
		if (error instanceof ArgyleError && error.details.isTransient && !isStopped) return report;
		throw error;
	});
}

/**
 * Resolves with the report's record as soon as it is generated. It asks Argyle repeatedly, because Argyle sends an
 * event when a report is generated, but none when a report fails. Throws ArgyleError when the report has failed, or
 * takes longer than `minutes`.
 */
export async function waitForReport(client: ArgyleClient, report: IDataObject, minutes: number): Promise<IDataObject> {
	const startedAt = Date.now();
	let latest = report;
	while (latest.status !== 'generated') {
		const { id, status, user } = latest;
		if (status === 'failed') {
			throw new ArgyleError(
				`Argyle could not generate report ${String(id)}`,
				`Its status is failed, and Argyle says no more. Look whether the accounts of user ${String(user)} have data (Account: Get Many), and generate it again, or ask Argyle's support.`,
			);
		}
		const waitedMs = Date.now() - startedAt;
		const leftMs = minutes * MINUTE_MS - waitedMs;
		if (leftMs <= 0) {
			throw new ArgyleError(
				`Argyle has not generated report ${String(id)} in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}`,
				`Its status is ${String(status)}, and Argyle is still making it. Get it later with Report: Get or Download, start another workflow on the event Report Generated, or raise Wait Minutes.`,
			);
		}
		const pauseMs = Math.min(Math.max(waitedMs * PACE.part, PACE.minMs), PACE.maxMs, leftMs);
		await clock.pause(pauseMs, client.signal);
		latest = await lookAgain(client, latest);
	}
	return latest;
}
