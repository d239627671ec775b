import { describe, expect, it } from 'vitest';
import { untilWarning } from '../../../src/reconcile/patience.ts';
import type { Hold } from '../../../src/reconcile/plan.ts';

const now = Date.parse('2026-01-01T00:01:00Z');
const waiting: Hold<string> = { state: 'Waiting', reason: 'SecretNotFound', message: 'There is no Secret.' };

function born(secondsAgo: number) {
  const creationTimestamp = new Date(now - secondsAgo * 1000).toISOString();
  const metadata = { name: 'truck-17', uid: 'u', resourceVersion: '1', creationTimestamp };
  return { apiVersion: 'edgeline.dev/v1alpha1', kind: 'Sim', metadata };
}

describe('what a resource waits for is worth a warning', () => {
  it.each<[string, number, Hold<string> | undefined, number | undefined]>([
    ['after its first minute', 20, waiting, 40_000],
    ['at once when it is older', 61, waiting, 0],
    ['at once when only a person can help', 20, { ...waiting, state: 'Stalled' }, 0],
    ['at once when the service has trouble', 20, { ...waiting, keepsReady: true }, 0],
    ['at once when the service differs and nothing is in the way', 20, undefined, 0],
    ['never while it is on its way', 61, { ...waiting, isProgress: true }, undefined],
    ['never while a person wants it so', 61, { ...waiting, state: 'Suspended' }, undefined],
  ])('%s', (_, age, hold, expected) => {
    expect(untilWarning(born(age), hold, now)).toBe(expected);
  });
});
