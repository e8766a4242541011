import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where n8n-core keeps its settings and binary data, if a test file needs any; removed by `n8nContext.mts`. */
export const userFolder = join(tmpdir(), `n8n-core-test-${randomUUID()}`);

// n8n-core reads these when it is first imported, which is why this file is a setupFile of Jest.
process.env.N8N_USER_FOLDER = userFolder;
process.env.N8N_ENCRYPTION_KEY = 'only-for-these-tests';
process.env.N8N_LOG_LEVEL = 'silent';
process.env.N8N_DIAGNOSTICS_ENABLED = 'false';
