import type { ApiKey, FakeArgyle } from './index.mts';

/** Takes a path, or a whole URL as the links between pages are; gives what the service answers to a caller with its key. Rejects after 5 s without an answer. */
export async function call(
	service: FakeArgyle,
	method: string,
	path: string,
	body?: unknown,
	key: ApiKey = service.key,
) {
	const response = await fetch(new URL(path, service.origin), {
		method,
		headers: { Authorization: `Basic ${btoa(`${key.id}:${key.secret}`)}`, 'Content-Type': 'application/json' },
		body: body === undefined ? undefined : JSON.stringify(body),
		signal: AbortSignal.timeout(5_000),
	});
	const text = await response.text();
	const json = text.startsWith('{') ? JSON.parse(text) : undefined;
	return { status: response.status, headers: response.headers, text, json };
}
