import { chownSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type Server, start, unprivileged, whenListening } from '../../support/n8n/server.mts';
import { freePort } from '../../support/n8n/process.mts';
import { root, workFolder } from '../../support/paths.mts';

const UPSTREAM = '127.0.0.1:5678';
const programs = join(workFolder, 'debian', 'usr');

interface Proxy {
	/** The file in `docs/proxy/` that is run, but for its addresses. */
	file: string;
	/** What it has in place of the address at which the test's proxy listens. */
	address: string;
	listenAt: (origin: URL) => string;
	/** A directive that Debian's version does not know yet, and what it has in its place. */
	newer: { directive: string; inDebian: string } | undefined;
	/** The file that includes the one above. */
	main: string;
	command: (folder: string) => [program: string, args: string[]];
}

const PROXIES = {
	nginx: {
		file: 'nginx.conf',
		address: 'listen 80;',
		listenAt: ({ host }) => `listen ${host};`,
		newer: undefined,
		main: `daemon off; pid nginx.pid; error_log stderr; events {}
			http { access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
			uwsgi_temp_path uwsgi; scgi_temp_path scgi; include n8n.conf; }`,
		command: (folder) => [join(programs, 'sbin', 'nginx'), ['-e', 'stderr', '-p', folder, '-c', 'main.conf']],
	},
	Caddy: {
		file: 'Caddyfile',
		address: 'n8n.example.com {',
		listenAt: ({ origin }) => `${origin} {`,
		newer: { directive: 'request_buffers 2MiB', inDebian: 'buffer_requests\nmax_buffer_size 2MiB' },
		// Without a grace period Caddy ends only when every connection has been closed by its client.
		main: `{
			admin off
			default_bind 127.0.0.1
			grace_period 1s
			auto_https disable_redirects
			local_certs
			skip_install_trust
		}
		import n8n.conf`,
		command: (folder) => [
			'env',
			[`HOME=${folder}`, join(programs, 'bin', 'caddy'), 'run', '--config', 'main.conf', '--adapter', 'caddyfile'],
		],
	},
} satisfies Record<string, Proxy>;

export type ProxyName = keyof typeof PROXIES;

/** Where Caddy keeps the certificate authority that it makes by itself for https on loopback. */
const CADDY_AUTHORITY = ['.local', 'share', 'caddy', 'pki', 'authorities', 'local', 'root.crt'];

/**
 * Starts a proxy at an origin on loopback with the configuration of `docs/proxy/`, in which nothing is replaced but
 * addresses, and what Debian's version does not know. Only Caddy can be at an https origin; this process trusts its
 * certificate from then on.
 */
export async function startProxy(name: ProxyName, origin: URL, upstream: string): Promise<Server> {
	const { file, address, listenAt, newer, main, command }: Proxy = PROXIES[name];
	const configuration = readFileSync(join(root, 'docs', 'proxy', file), 'utf8');
	if (configuration.split(address).length !== 2) throw new Error(`docs/proxy/${file} has "${address}" not once`);
	const folder = mkdtempSync(join(tmpdir(), `${file}-`));
	writeFileSync(join(folder, 'main.conf'), main);
	const here = configuration.replace(address, listenAt(origin)).replaceAll(UPSTREAM, new URL(upstream).host);
	writeFileSync(
		join(folder, 'n8n.conf'),
		newer === undefined ? here : here.replaceAll(newer.directive, newer.inDebian),
	);
	const user = unprivileged('nobody');
	if (user !== undefined) chownSync(folder, user.uid, user.gid);
	const proxy = await whenListening(name, start(...command(folder), folder, user), Number(origin.port), folder);
	if (origin.protocol === 'https:') {
		const authority = readFileSync(join(folder, ...CADDY_AUTHORITY), 'utf8');
		setDefaultCACertificates([...getCACertificates('default'), authority]);
	}
	return proxy;
}

/** An origin on loopback where nothing listens yet. */
export async function freeOrigin(protocol: 'http' | 'https'): Promise<URL> {
	return new URL(`${protocol}://127.0.0.1:${await freePort()}`);
}
