import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createRequire } from 'node:module';
import { fixed, type Row, section } from './markdown.mts';
import { measure } from './timing.mts';

type Check = (body: Buffer, signature: string) => boolean;

const SECRET = 'a1'.repeat(32);

function bare(body: Buffer, signature: string): boolean {
	const expected = createHmac('sha512', SECRET).update(body).digest();
	return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}

/** e) What a verification costs above the cryptography in it. */
export async function verification(): Promise<string> {
	const built: { isSignedByOneOf(secrets: string[], body: Buffer, signature: string): boolean } = createRequire(
		import.meta.url,
	)('../../dist/nodes/Argyle/trigger/signature.js');
	const ours: Check = (body, signature) => built.isSignedByOneOf([SECRET], body, signature);
	const rows: Row[] = [];
	for (const bytes of [200, 2_000, 20_000, 200_000, 1_000_000]) {
		const body = randomBytes(bytes);
		const signature = createHmac('sha512', SECRET).update(body).digest('hex');
		const inARow = Math.max(1, Math.round(200_000 / (bytes + 2_000)));
		const timed = (check: Check) => async () => {
			const before = process.hrtime.bigint();
			for (let index = 0; index < inARow; index++)
				if (!check(body, signature)) throw new Error('a right signature was refused');
			return Number(process.hrtime.bigint() - before) / inARow;
		};
		const medians = await measure(
			new Map([
				['bare', timed(bare)],
				['ours', timed(ours)],
			]),
			1_000,
		);
		const [plain = NaN, own = NaN] = ['bare', 'ours'].map((name) => medians.get(name));
		rows.push([bytes.toLocaleString('en'), fixed(plain / 1_000, 2), fixed(own / 1_000, 2), fixed(plain / own, 3)]);
	}
	return section(
		'Verification alone',
		['bytes', 'bare, µs', 'ours, µs', "ours to bare (1 is bare's speed)"],
		rows,
		'Median of 1,000 rounds in turns.',
	);
}
