import type { Clock } from '../clock.ts';
import type { CallOptions } from '../cloud/limiter/lanes.ts';
import type { ObservedList, Snapshot } from '../cloud/list/snapshot.ts';

/**
 * A snapshot that began after `monotonic`, which may lie ahead: then the list is asked for when the time has come.
 * Waiting lists are shared, so a thousand resources that wait cost one list. In lane `list` it is one that only looks for
 * something new, in lane `upload` one that an upload needs; in any other it confirms what was written.
 */
export async function observationAfter<T>(
  informer: ObservedList<T>,
  monotonic: number,
  clock: Clock,
  { lane, signal, turn, party }: Pick<CallOptions, 'lane' | 'signal' | 'turn' | 'party'>,
): Promise<Snapshot<T>> {
  const ahead = monotonic - clock.monotonic();
  if (ahead > 0) await clock.sleep(ahead, signal);
  return informer.observeAfter(monotonic, signal, turn, party, lane === 'list' || lane === 'upload' ? lane : 'verify');
}
