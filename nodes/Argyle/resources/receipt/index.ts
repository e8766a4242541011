import type { Resource } from '../operation';
import { generate } from './generate';

export const receipt: Resource = { value: 'receipt', name: 'Receipt', operations: [generate] };
