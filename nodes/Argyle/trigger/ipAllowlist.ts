/** The addresses from which Argyle sends, in both environments (Argyle's webhook guide and console page). */
const ARGYLE_ADDRESSES = new Set(['34.27.251.226', '34.122.50.253', '35.188.163.115', '35.226.53.251']);

/**
 * `address` is the caller's as n8n sees it. Node writes an IPv4 address that came in over IPv6 with `::ffff:` in front.
 */
export function isArgyleAddress(address: unknown): boolean {
	return typeof address === 'string' && ARGYLE_ADDRESSES.has(address.replace(/^::ffff:/i, ''));
}
