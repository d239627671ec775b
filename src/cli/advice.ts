import { adviceFacts } from './facts.ts';
import type { KindName } from './kinds.ts';

/** What a person can do about a reason of a condition: the same as in docs/reference/conditions.md. */
export function adviceFor(kind: KindName, reason: string): string | undefined {
  const isAccount = kind === 'CloudAccount' || kind === 'ClusterCloudAccount';
  const tables = isAccount ? ['Account', 'all'] : [kind, 'all', 'Account'];
  for (const table of tables) {
    const advice = adviceFacts[table];
    if (advice && Object.hasOwn(advice, reason)) return advice[reason];
  }
  return undefined;
}
