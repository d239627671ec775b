import { getHeapStatistics } from 'node:v8';
import { ApiError } from './api-error.ts';

const FULLEST_SHARE = 0.8;

/** Is the memory of this process nearly full? */
export function isHeapFull(): boolean {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used >= FULLEST_SHARE * limit;
}

/**
 * Refuses a body, which could make the state grow, while little memory is left: 503, so that whoever sends gigabytes is told, and
 * nobody loses what is there because the process ended.
 */
export function requireMemory(body: string, isFull: () => boolean): void {
  if (body === '' || !isFull()) return;
  const message = `the simulator's memory is nearly full: delete objects, or give it more by NODE_OPTIONS=--max-old-space-size`;
  throw new ApiError(503, 'service_temporarily_unavailable', message);
}
