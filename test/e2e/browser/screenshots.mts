import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { until } from '../../support/n8n/until.mts';
import { root, workFolder } from '../../support/paths.mts';

/** With PICTURES=renew, the images in `docs` are replaced. */
const folder = process.env.PICTURES === 'renew' ? join(root, 'docs', 'images') : join(workFolder, 'images');

const MARGIN = 12;

/** n8n's notifications and tooltips, which could cover something. */
const OVERLAYS = ['.el-notification', '[role=tooltip]'];

/** A screenshot of the area around these elements, without overlays. */
export async function takeScreenshot(page: Page, name: string, ...elements: Locator[]): Promise<void> {
	await page.mouse.move(0, 0);
	await takeArea(page, name, OVERLAYS, elements);
}

/** A screenshot with the mouse where it is, and with overlays. */
export async function takeScreenshotWithOverlays(page: Page, name: string, ...elements: Locator[]): Promise<void> {
	await takeArea(page, name, [], elements);
}

/** Where the elements are when they stand still on the page: n8n's panels slide in, which outlasts `waitFor`. */
async function restingBoxes(page: Page, elements: Locator[]) {
	const pageWidth = page.viewportSize()?.width ?? 0;
	let before = '';
	return await until('the elements stand still', 10_000, async () => {
		const all = await Promise.all(elements.map(async (element) => await element.first().boundingBox()));
		const boxes = all.filter((box) => box !== null);
		const positions = JSON.stringify(all);
		if (positions === before && boxes.every(({ x }) => x < pageWidth)) return boxes;
		before = positions;
		return undefined;
	});
}

async function takeArea(page: Page, name: string, hidden: string[], elements: Locator[]): Promise<void> {
	for (const element of elements) await element.first().waitFor();
	const boxes = await restingBoxes(page, elements);
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
