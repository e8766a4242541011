import { parseArgs } from 'node:util';

export const HELP = `npm run contract                    holds the fake Argyle to the facts, in seconds
npm run contract -- --url https://api-sandbox.argyle.com
                                    holds a service to them that claims to be Argyle's API. Reads only.
  --write                 also creates webhook subscriptions, users and reports of its own, and removes them
  --mail-to <address>     with --write: also sends invites, to this address and to no other
  --deliver-to <url>      with --write: also waits for real deliveries; the public address that leads to --listen
  --listen <port>         where this computer receives them (default 8787)
  --production            allows a key of Production: for reads only
  --rate <number>         requests a second (default 10, at most 40)
  --record                stores the forms of answers, with made-up values, as cases of our tests
  --save                  writes what was seen into docs/fidelity.md

The key comes from the environment variables ARGYLE_API_KEY_ID and ARGYLE_API_KEY_SECRET. ARGYLE_ENVIRONMENT is sandbox
or production; it has to be set where the address is none of Argyle's, such as that of a proxy. With ARGYLE_OTHER_API_KEY_ID and ARGYLE_OTHER_API_KEY_SECRET, a key of the other
environment, one more check runs. No value of a record is printed or stored. Let one run at a time use an account.`;

export interface ApiKey {
	id: string;
	secret: string;
}

export interface Target {
	/** Scheme, host and port. */
	origin: string;
	key: ApiKey;
	otherKey?: ApiKey;
	environment: 'sandbox' | 'production';
	writes: boolean;
	mailTo?: string;
	/** Where deliveries are sent to, and the port at which they arrive: without a URL, any free one of this computer. */
	deliveries?: { url?: string; port: number };
	/** The origin of an address that nobody has, to which nothing is delivered. */
	nowhere: string;
	/**
	 * Makes an event. Resolves when it has been delivered, retries included. @default Simulate New Data for a connected
	 * account, and the time that deliveries take
	 */
	makeEvent?: () => Promise<void>;
	/** Requests a second. */
	rate: number;
	/** How long after a delivery that failed it comes again. */
	retryAfterMs: number;
	/** How long a minute is: shorter where the service is a fake in a hurry. */
	minuteMs: number;
}

/** Its message says what to do. */
export class WrongOptions extends Error {}

const HOSTS = { sandbox: 'https://api-sandbox.argyle.com', production: 'https://api.argyle.com' };

const FLAG = { type: 'boolean', default: false } as const;
const TEXT = { type: 'string' } as const;

/** Throws an error whose message names an option that there is not. */
export const readOptions = (args: string[]) =>
	parseArgs({
		args,
		options: {
			url: TEXT,
			write: FLAG,
			'mail-to': TEXT,
			'deliver-to': TEXT,
			listen: { type: 'string', default: '8787' },
			production: FLAG,
			rate: { type: 'string', default: '10' },
			record: FLAG,
			save: FLAG,
			help: FLAG,
		},
	}).values;

type Options = ReturnType<typeof readOptions>;

function wholeNumber(text: string, option: string, most: number): number {
	const number = Number(text);
	if (Number.isInteger(number) && number >= 1 && number <= most) return number;
	throw new WrongOptions(`--${option} must be a whole number from 1 to ${most}.`);
}

function originOf(url: string, option: string): string {
	if (!URL.canParse(url)) throw new WrongOptions(`--${option} must be a complete address, such as ${HOSTS.sandbox}.`);
	const { protocol, hostname, origin, pathname, search } = new URL(url);
	const isLocal = protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
	if (protocol !== 'https:' && !isLocal)
		throw new WrongOptions(`--${option} must begin with https://, because a secret travels with every request.`);
	if (pathname !== '/' || search !== '')
		throw new WrongOptions(`--${option} must end after the host and port, without /v2 or another path.`);
	// With a dot at its end, it is another origin, and the same host.
	return origin.replace(/\.(?=(:\d+)?$)/, '');
}

function keyFrom(env: NodeJS.ProcessEnv, prefix: string): ApiKey | undefined {
	const { [`${prefix}_ID`]: id, [`${prefix}_SECRET`]: secret } = env;
	return id && secret ? { id, secret } : undefined;
}

/** Throws WrongOptions. */
export function readTarget(options: Options & { url: string }, env: NodeJS.ProcessEnv): Target {
	const origin = originOf(options.url, 'url');
	const key = keyFrom(env, 'ARGYLE_API_KEY');
	if (key === undefined)
		throw new WrongOptions(
			'Set ARGYLE_API_KEY_ID and ARGYLE_API_KEY_SECRET to a key from the Argyle Console (Developers > API Keys).\n' +
				'A key made with Sandbox mode on is one of Sandbox.',
		);
	const isArgyles = Object.values(HOSTS).includes(origin);
	// A proxy may lead to either, and --write makes invites there.
	if (!isArgyles && env.ARGYLE_ENVIRONMENT === undefined)
		throw new WrongOptions(`Set ARGYLE_ENVIRONMENT to sandbox or production: ${origin} does not tell which one it is.`);
	const { ARGYLE_ENVIRONMENT: environment = 'sandbox' } = env;
	if (environment !== 'sandbox' && environment !== 'production')
		throw new WrongOptions('ARGYLE_ENVIRONMENT must be sandbox or production.');
	if ((origin === HOSTS.production) !== (environment === 'production') && isArgyles)
		throw new WrongOptions(`${origin} is not the address of ${environment}: change --url or ARGYLE_ENVIRONMENT.`);
	if (environment === 'production' && !options.production)
		throw new WrongOptions('This is a key of Production. Add --production if it may be used to read there.');
	if (environment === 'production' && options.write)
		throw new WrongOptions('Nothing is written in Production: leave out --write, or use a key of Sandbox.');
	const mailTo = options['mail-to'];
	const deliverTo = options['deliver-to'];
	if (!options.write && (mailTo !== undefined || deliverTo !== undefined))
		throw new WrongOptions('--mail-to and --deliver-to need --write.');
	return {
		origin,
		key,
		otherKey: keyFrom(env, 'ARGYLE_OTHER_API_KEY'),
		environment,
		writes: options.write,
		mailTo,
		deliveries: deliverTo === undefined ? undefined : deliveriesTo(deliverTo, options.listen),
		rate: wholeNumber(options.rate, 'rate', 40),
		retryAfterMs: 30_000,
		minuteMs: 60_000,
		nowhere: 'https://contract.invalid',
	};
}

const deliveriesTo = (url: string, port: string) => ({
	url: originOf(url, 'deliver-to'),
	port: wholeNumber(port, 'listen', 65_535),
});
