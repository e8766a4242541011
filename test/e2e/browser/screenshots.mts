import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { until } from '../../support/n8n/until.mts';
import { root, workFolder } from '../../support/paths.mts';

/** With PICTURES=renew, a picture that `docs/images` has is replaced there. */
function pathOf(name: string): string {
	const published = join(root, 'docs', 'images', `${name}.png`);
	const isRenewed = process.env.PICTURES === 'renew' && existsSync(published);
	return isRenewed ? published : join(workFolder, 'images', `${name}.png`);
}

const MARGIN = 12;

/** n8n's notifications and tooltips, which could cover something. */
const OVERLAYS = ['.el-notification', '[role=tooltip]', '[data-test-id=floating-node]'];

/** What n8n opens above the canvas or another node's panel; a picture does not reach beyond its edges. */
const PANELS = ['node-creator', 'ndv-input-panel', 'output-panel', 'editCredential-modal']
	.map((id) => `[data-test-id=${id}]`)
	.join();

interface Area {
	left: number;
	top: number;
	right: number;
	bottom: number;
}

/** A screenshot of the area around these elements, without overlays. */
export async function takeScreenshot(page: Page, name: string, ...elements: Locator[]): Promise<void> {
	await page.mouse.move(0, 0);
	await takeArea(page, name, OVERLAYS, elements);
}

export async function takeScreenshotWithOverlays(page: Page, name: string, ...elements: Locator[]): Promise<void> {
	await takeArea(page, name, [], elements);
}

/** The element with a margin, as far as its panel reaches. */
async function areaAround(element: Locator): Promise<Area> {
	const [box, panel] = await element.first().evaluate((node, selector) => {
		const edges = ({ left, top, right, bottom }: Area) => ({ left, top, right, bottom });
		const around = node.closest(selector) ?? document.documentElement;
		return [edges(node.getBoundingClientRect()), edges(around.getBoundingClientRect())] as const;
	}, PANELS);
	return {
		left: Math.max(panel.left, box.left - MARGIN),
		top: Math.max(panel.top, box.top - MARGIN),
		right: Math.min(panel.right, box.right + MARGIN),
		bottom: Math.min(panel.bottom, box.bottom + MARGIN),
	};
}

/** Where the elements are when they stand still on the page: n8n's panels slide in, which outlasts `waitFor`. */
async function restingAreas(page: Page, elements: Locator[]) {
	const pageWidth = page.viewportSize()?.width ?? 0;
	let before = '';
	return await until('the elements stand still', 120_000, async () => {
		const areas = await Promise.all(elements.map(areaAround));
		const positions = JSON.stringify(areas);
		if (positions === before && areas.every(({ left }) => left < pageWidth)) return areas;
		before = positions;
		return undefined;
	});
}

async function takeArea(page: Page, name: string, hidden: string[], elements: Locator[]): Promise<void> {
	for (const element of elements) await element.first().waitFor();
	const areas = await restingAreas(page, elements);
	const left = Math.min(...areas.map((area) => area.left));
	const top = Math.min(...areas.map((area) => area.top));
	const right = Math.max(...areas.map((area) => area.right));
	const bottom = Math.max(...areas.map((area) => area.bottom));
	await page.screenshot({
		path: pathOf(name),
		clip: { x: left, y: top, width: right - left, height: bottom - top },
		animations: 'disabled',
		caret: 'hide',
		style: hidden.map((selector) => `${selector} { visibility: hidden !important; }`).join('\n'),
	});
}
