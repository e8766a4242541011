import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

/** Memory that is still held after everything unused was collected, in bytes. */
export interface Held {
	heap: number;
	/** Of Buffers, which lie outside the heap. */
	buffers: number;
}

/** Collects what is unused; gives what is still held. */
export function heldMemory(): Held {
	if (typeof collect !== 'function') throw new Error('Node gives no gc');
	// Twice: the memory of a Buffer goes in the collection after that of its object.
	collect();
	collect();
	const { heapUsed, arrayBuffers } = process.memoryUsage();
	return { heap: heapUsed, buffers: arrayBuffers };
}
