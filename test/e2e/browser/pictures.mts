import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { root, workFolder } from '../../support/paths.mts';

/** `npm run pictures` renews the pictures that the documents show; every other run leaves the tree clean. */
const folder = process.env.PICTURES === 'renew' ? join(root, 'docs', 'images') : join(workFolder, 'pictures');

const MARGIN = 12;

/** n8n's passing notices and tips would cover a part. */
const PASSING = ['.el-notification', '[role=tooltip]'];

/** Takes a picture of what the parts span together, with a little room; the mouse is moved away from it first. */
export async function takePicture(page: Page, name: string, ...parts: Locator[]): Promise<void> {
	await page.mouse.move(0, 0);
	await take(page, name, PASSING, parts);
}

/** The same with the mouse where it is, and with what shows only under it. */
export async function takePictureAsIs(page: Page, name: string, ...parts: Locator[]): Promise<void> {
	await take(page, name, [], parts);
}

async function take(page: Page, name: string, hidden: string[], parts: Locator[]): Promise<void> {
	for (const part of parts) await part.first().waitFor();
	const boxes = (await Promise.all(parts.map(async (part) => await part.first().boundingBox()))).filter(
		(box) => box !== null,
	);
	const left = Math.max(0, Math.min(...boxes.map(({ x }) => x)) - MARGIN);
	const top = Math.max(0, Math.min(...boxes.map(({ y }) => y)) - MARGIN);
	const right = Math.max(...boxes.map(({ x, width }) => x + width)) + MARGIN;
	const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + MARGIN;
	await page.screenshot({
		path: join(folder, `${name}.png`),
		clip: { x: left, y: top, width: right - left, height: bottom - top },
		animations: 'disabled',
		caret: 'hide',
		style: hidden.map((selector) => `${selector} { visibility: hidden !important; }`).join('\n'),
	});
}
