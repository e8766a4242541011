import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { RunningN8n } from './process.mts';

function open({ userFolder }: RunningN8n): DatabaseSync {
	return new DatabaseSync(join(userFolder, '.n8n', 'database.sqlite'), { timeout: 10_000 });
}

/** Where a text is found in n8n's database (`table.column`) and log (`log`). */
export function placesOf(n8n: RunningN8n, text: string): string[] {
	const database = open(n8n);
	const names = (rows: unknown[]) =>
		rows.flatMap((row) => (typeof row === 'object' && row !== null && 'name' in row ? [String(row.name)] : []));
	const tables = names(database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all());
	const places = tables.flatMap((table) =>
		names(database.prepare(`SELECT name FROM pragma_table_info(?)`).all(table))
			.filter((column) => {
				const look = `SELECT 1 FROM "${table}" WHERE instr(CAST("${column}" AS TEXT), ?) > 0 LIMIT 1`;
				return database.prepare(look).get(text) !== undefined;
			})
			.map((column) => `${table}.${column}`),
	);
	database.close();
	return readFileSync(n8n.logFile, 'utf8').includes(text) ? [...places, 'log'] : places;
}

interface StoredExecution {
	status: string;
	/** Milliseconds since 1970; NaN when it has not ended. */
	endedAt: number;
	data: string;
}

/** The executions of a workflow with their data, as n8n stores it: a text in which every ID can be found. */
export function storedExecutions(n8n: RunningN8n, workflowId: string): StoredExecution[] {
	const database = open(n8n);
	const rows = database
		.prepare(
			`SELECT e.status, e.stoppedAt, d.data FROM execution_entity e JOIN execution_data d ON d.executionId = e.id
			WHERE e.workflowId = ?`,
		)
		.all(workflowId);
	database.close();
	return rows.map(({ status, stoppedAt, data }) => ({
		status: String(status),
		endedAt: Date.parse(`${String(stoppedAt)}Z`),
		data: String(data),
	}));
}

export function hasProcessedValues(n8n: RunningN8n, workflowId: string): boolean {
	const database = open(n8n);
	const row = database.prepare('SELECT 1 FROM processed_data WHERE workflowId = ?').get(workflowId);
	database.close();
	return row !== undefined;
}

/** The static data of every workflow by the workflow's ID, as n8n stores it. */
export function storedStaticData(n8n: RunningN8n): Map<string, string> {
	const database = open(n8n);
	const rows = database.prepare('SELECT id, staticData FROM workflow_entity').all();
	database.close();
	return new Map(rows.map(({ id, staticData }) => [String(id), String(staticData)]));
}

export function countExecutions(n8n: RunningN8n): number {
	const database = open(n8n);
	const row = database.prepare('SELECT count(*) AS count FROM execution_entity').get();
	database.close();
	return Number(row?.count);
}
