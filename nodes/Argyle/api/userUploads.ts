import type { IDataObject } from 'n8n-workflow';

import type { ArgyleClient } from '../transport/client';
import { multipart, type UploadedFile } from '../transport/upload';
import { listOf } from './records';
import { RECORD_TYPES } from './recordTypes';
import { fetchPage, MAX_PAGE_SIZE } from './pagination';
import { type AttemptOf, writeOnce } from './writeOnce';

/** Long enough for a file of hundreds of megabytes over a slow line. */
const UPLOAD_TIMEOUT_MS = 60 * 60_000;

/**
 * POST /v2/user-uploads (Argyle's OpenAPI file 1.0.111): each request sends one file. After an unclear answer, this
 * looks for the file among the user's uploads, by its type and name.
 */
export async function uploadDocument(
	client: ArgyleClient,
	attemptOf: AttemptOf,
	user: string,
	documentType: string,
	file: UploadedFile,
): Promise<IDataObject> {
	const list = listOf(RECORD_TYPES.userUpload);
	return await writeOnce(client, attemptOf, {
		request: {
			method: 'POST',
			path: list.path,
			upload: multipart({ user, document_type: documentType }, 'upload', file),
			timeoutMs: UPLOAD_TIMEOUT_MS,
			subject: `user ${user}`,
			unclear: { what: `${file.fileName} was uploaded`, check: 'User Upload: Get Many' },
		},
		content: [user, documentType, file.fileName, file.size],
		async findCreated(isSince) {
			const query = { user, document_type: documentType, limit: MAX_PAGE_SIZE };
			const { records } = await fetchPage(client, list, query);
			return records.filter((record) => isSince(record.created_at) && record.file_name === file.fileName);
		},
	});
}
