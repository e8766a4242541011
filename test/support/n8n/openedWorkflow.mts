import { isJson, type Json } from '../json.mts';

/** A usual one of a laptop. */
export const SCREEN = { width: 1440, height: 900 };

/** Of n8n's editor on that screen, with its menu folded, as it is when n8n is new. The browser suite measures it. */
const CANVAS = { width: 1398, height: 798 };

/** Around a workflow, when n8n opens it: a tenth of its size on each side. */
const MARGINS = 1.2;

/** The sides of a node, without its name. */
const NODE = 96;

/** Of a note's text, in pixels. */
const PARAGRAPH = 14;

interface Box {
	left: number;
	top: number;
	right: number;
	bottom: number;
}

function boxOf({ type, position, parameters }: Json): Box {
	const [x, y]: unknown[] = Array.isArray(position) ? position : [];
	const isNote = type === 'n8n-nodes-base.stickyNote' && isJson(parameters);
	const { width, height } = isNote ? parameters : { width: NODE, height: NODE };
	return { left: Number(x), top: Number(y), right: Number(x) + Number(width), bottom: Number(y) + Number(height) };
}

/** How far n8n zooms out, so that all nodes and notes of a workflow fit into its canvas. */
function zoomOf(nodes: Json[]): number {
	const boxes = nodes.map(boxOf);
	const width = Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left));
	const height = Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top));
	return Math.min(1, CANVAS.width / (width * MARGINS), CANVAS.height / (height * MARGINS));
}

/** How large a note's text is on the screen when n8n opens the workflow, in pixels. */
export const paragraphSizeIn = (nodes: Json[]) => zoomOf(nodes) * PARAGRAPH;
