import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { isJson, type Json } from './json.mts';
import { listen } from './listen.mts';

const HOSTS = ['sheets.googleapis.com', 'www.googleapis.com', 'slack.com'];
const TOKEN = 'token-of-the-fake-google';
const SHEET = 'Sheet1';

export interface DriveFile {
	name: string;
	mimeType: string;
	folder: string;
	bytes: Buffer;
}

interface Answer {
	status: number;
	body?: Json;
	headers?: Record<string, string>;
}

/**
 * As much of Google Sheets and Google Drive as n8n's nodes need for rows of a sheet and to upload a file, and of Slack
 * for a message: all that n8n reaches through one proxy.
 */
export interface FakeGoogle {
	/** With these variables, n8n comes here when it calls Google. */
	env: Record<string, string>;
	/** What n8n's Google credentials hold after "Sign in with Google". */
	credentialData: Json;
	slackCredentialData: Json;
	/** As they were posted. */
	slackMessages: Json[];
	/** The rows of the only sheet of each spreadsheet, its head included. A formula in it is a `FORMULA`. */
	rows: unknown[][];
	files: Map<string, DriveFile>;
	stop(): void;
}

/** What a cell shows where a text was taken for a formula. */
export const FORMULA = '#FORMULA';

/** As Sheets stores it: as if a person had typed it, unless it is to be taken as it is. */
const stored = (value: unknown, inputOption: unknown) =>
	inputOption !== 'RAW' && typeof value === 'string' && /^[=+]/.test(value) ? FORMULA : value;

/** For Google's hosts, by itself. */
function makeCertificate(): { folder: string; certificateFile: string; cert: Buffer; key: Buffer } {
	const folder = mkdtempSync(join(tmpdir(), 'fake-google-'));
	const [certificateFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
	const names = HOSTS.map((host) => `DNS:${host}`).join();
	const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
	const subject = ['-subj', '/CN=Fake Google', '-addext', `subjectAltName=${names}`];
	execFileSync('openssl', [...request, ...subject, '-keyout', keyFile, '-out', certificateFile], { stdio: 'pipe' });
	return { folder, certificateFile, cert: readFileSync(certificateFile), key: readFileSync(keyFile) };
}

function parsed(body: Buffer): Json {
	const value: unknown = JSON.parse(body.toString());
	return isJson(value) ? value : {};
}

/** Starts Google's hosts behind a proxy, because n8n's nodes don't let their addresses be changed. */
export async function startFakeGoogle(): Promise<FakeGoogle> {
	const rows: unknown[][] = [];
	const files = new Map<string, DriveFile>();
	const slackMessages: Json[] = [];

	/** Of a range such as "Sheet1!B2". */
	function writeCell(range: string, values: unknown, inputOption: unknown): void {
		const [, column = '', row = ''] = /!([A-Z])(\d+)$/.exec(range) ?? [];
		const cells = rows[Number(row) - 1];
		const [[value] = []]: unknown[][] = Array.isArray(values) ? values : [];
		if (cells !== undefined) cells[column.charCodeAt(0) - 'A'.charCodeAt(0)] = stored(value, inputOption);
	}

	function answerSheets(method: string, { pathname, searchParams }: URL, body: Buffer): Answer {
		const path = decodeURIComponent(pathname);
		if (path.endsWith('/values:batchUpdate')) {
			const { data, valueInputOption } = parsed(body);
			for (const { range: cell, values } of Array.isArray(data) ? data.filter(isJson) : [])
				writeCell(String(cell), values, valueInputOption);
			return { status: 200, body: {} };
		}
		const [, range = '', action] = /\/values\/([^:]+(?::[A-Z\d]+)?)(:append)?$/.exec(path) ?? [];
		if (range === '') return { status: 200, body: { sheets: [{ properties: { sheetId: 0, title: SHEET } }] } };
		const first = Number(/!(\d+):/.exec(range)?.[1] ?? 1) - 1;
		if (method === 'GET') {
			const last = Number(/:(\d+)$/.exec(range)?.[1] ?? rows.length);
			const values = rows.slice(first, last);
			// Without values where the range is empty.
			return { status: 200, body: values.length === 0 ? {} : { values } };
		}
		const { values } = parsed(body);
		const given: unknown[][] = Array.isArray(values) ? values : [];
		const written = given.map((row) => row.map((value) => stored(value, searchParams.get('valueInputOption'))));
		// Append writes below what is there by now, whatever the range says; all else at the range, over what is there.
		rows.splice(action === ':append' ? rows.length : first, written.length, ...written);
		return { status: 200, body: {} };
	}

	function answerSlack(body: Buffer): Answer {
		const message = parsed(body);
		slackMessages.push(message);
		return { status: 200, body: { ok: true, channel: message.channel, ts: '1', message } };
	}

	function answerDrive(method: string, { pathname, searchParams }: URL, body: Buffer, type: string): Answer {
		if (pathname.startsWith('/upload/') && method === 'POST') {
			const { name, parents } = parsed(body);
			const id = randomUUID();
			const folder = String(Array.isArray(parents) ? parents[0] : 'root');
			files.set(id, { name: String(name), mimeType: type, folder, bytes: Buffer.alloc(0) });
			return { status: 200, headers: { Location: `https://www.googleapis.com/upload/drive/v3/files?upload_id=${id}` } };
		}
		const id = searchParams.get('upload_id') ?? pathname.split('/').at(-1) ?? '';
		const file = files.get(id);
		if (file === undefined) return { status: 404, body: { error: { code: 404, message: 'File not found' } } };
		if (method === 'PUT') file.bytes = Buffer.concat([file.bytes, body]);
		else {
			const { name = file.name, mimeType = file.mimeType } = parsed(body);
			Object.assign(file, { name, mimeType });
		}
		return { status: 200, body: { id, name: file.name } };
	}

	const { folder, certificateFile, cert, key } = makeCertificate();
	const hosts = createHttpsServer({ cert, key }, (request, response) => {
		const { method = '', headers } = request;
		const url = new URL(request.url ?? '/', `https://${headers.host}`);
		void buffer(request).then((body) => {
			const isUpload = url.searchParams.has('upload_id');
			const isKnown = isUpload || headers.authorization === `Bearer ${TOKEN}`;
			const answer = !isKnown
				? { status: 401, body: { error: { code: 401, message: 'Invalid Credentials' } } }
				: url.host === 'slack.com'
					? answerSlack(body)
					: url.host === 'sheets.googleapis.com'
						? answerSheets(method, url, body)
						: answerDrive(method, url, body, String(headers['x-upload-content-type']));
			response.writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers });
			response.end(JSON.stringify(answer.body ?? {}));
		});
	});
	const proxy = createServer().on('connect', ({ url = '' }: IncomingMessage, socket) => {
		if (!HOSTS.some((host) => url === `${host}:443`)) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
		socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
		hosts.emit('connection', socket);
	});
	const port = await listen(proxy);
	return {
		env: { HTTPS_PROXY: `http://127.0.0.1:${port}`, NODE_EXTRA_CA_CERTS: certificateFile },
		credentialData: {
			clientId: 'client',
			clientSecret: 'secret',
			oauthTokenData: { access_token: TOKEN, refresh_token: 'none', token_type: 'Bearer' },
		},
		slackCredentialData: { accessToken: TOKEN },
		slackMessages,
		rows,
		files,
		stop() {
			proxy.close();
			proxy.closeAllConnections();
			rmSync(folder, { recursive: true });
		},
	};
}
