import assert from 'node:assert/strict';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as delivery from '../../nodes/Argyle/api/delivery';
import { sign } from '../support/fakeArgyle/signedEvent.mts';
import { fixed, type Row, section } from './markdown.mts';
import { medianTimes, nanosecondsPerCall } from './sampler.mts';

const DELIVERY = '../../dist/nodes/Argyle/api/delivery.js';

/** Our verification, as built: Node can't load its source, whose imports have no extensions. */
export function loadVerification(): (secret: string, body: Buffer, signature: string) => boolean {
	const { parseSignature, signingSecret }: typeof delivery = createRequire(import.meta.url)(DELIVERY);
	return (secret, body, signature) => {
		const digest = parseSignature(signature);
		return digest !== undefined && signingSecret([secret], body, digest) === secret;
	};
}

const SECRET = 'a1'.repeat(32);

function bare(body: Buffer, signature: string): boolean {
	const expected = createHmac('sha512', SECRET).update(body).digest();
	return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}

/** What a verification costs on top of its cryptography. */
export async function* verification(): AsyncGenerator<string> {
	const isGenuine = loadVerification();
	const rows: Row[] = [];
	for (const bytes of [200, 2_000, 20_000, 200_000, 1_000_000]) {
		const body = randomBytes(bytes);
		const signature = sign(body, SECRET);
		const calls = Math.max(1, Math.round(200_000 / (bytes + 2_000)));
		const timed = (verify: () => boolean) => () => nanosecondsPerCall(() => assert(verify()), calls);
		const [plain = NaN, ours = NaN] = await medianTimes(
			[timed(() => bare(body, signature)), timed(() => isGenuine(SECRET, body, signature))],
			1_000,
		);
		rows.push([bytes.toLocaleString('en'), fixed(plain / 1_000, 2), fixed(ours / 1_000, 2), fixed(plain / ours, 3)]);
	}
	const columns = ['bytes', 'bare HMAC, µs', 'ours, µs', 'speed relative to the bare HMAC'];
	yield section('Verification alone', columns, rows, 'Median of 1,000 rounds in turns.');
}
