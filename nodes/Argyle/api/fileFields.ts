import type { IDataObject } from 'n8n-workflow';

import type { ArgyleClient } from '../transport/client';
import { MAX_ANSWER_BYTES, MAX_DEPTH, MIB } from '../transport/answer';
import { readPrefix } from '../transport/download';
import { ArgyleError } from '../transport/errors';
import { isDataObject, isNestedDeeper, parseJson } from '../utils/json';
import { downloadFile } from './files';
import type { RecordType } from './recordTypes';

/**
 * Reads the JSON file of a report or verification. Its fields are Argyle's, and no code depends on one of them. Throws
 * ArgyleError when the file is no JSON object, or larger than an answer may be.
 */
export async function readFileFields(client: ArgyleClient, recordType: RecordType, id: string): Promise<IDataObject> {
	return await downloadFile(client, recordType, id, 'json_url', async ({ bytes }) => {
		const body = Buffer.isBuffer(bytes) ? bytes : await readPrefix(bytes, MAX_ANSWER_BYTES + 1);
		if (body.length > MAX_ANSWER_BYTES) throw unfit(recordType, `It is larger than ${MAX_ANSWER_BYTES / MIB} MB.`);
		const value = parseJson(body);
		if (!isDataObject(value)) throw unfit(recordType, 'It is no JSON object.');
		if (isNestedDeeper(value, MAX_DEPTH)) throw unfit(recordType, `It is nested more than ${MAX_DEPTH} levels deep.`);
		return value;
	});
}

function unfit({ one }: RecordType, reason: string): ArgyleError {
	return new ArgyleError(
		`The JSON file of this ${one} can't become the fields of an item`,
		`${reason} To get it as a file, choose JSON in Format.`,
	);
}
