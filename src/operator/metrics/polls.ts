import type { Clock } from '../../clock.ts';
import type { AccountRegistry } from '../../kinds/cloud-account/registry.ts';
import { USAGE_INTERVAL_MILLISECONDS, type UsageLook, type UsagePoll } from '../../kinds/web-accel-site/usage.ts';
import type { AccountSession } from '../../reconcile/session.ts';
import type { MetricSource } from '../../telemetry/metrics.ts';

/** A poll that is older than so many of its intervals says nothing of now. */
const INTERVALS_UNTIL_STALE = 3;
/** However often it is polled. Seconds. */
const LEAST_SECONDS_UNTIL_STALE = 10;

/** When a poll was made, in monotonic milliseconds, and how long it took. */
interface Polled {
  readonly startedAt: number;
  readonly seconds: number;
}

/** Whether what a poll showed may be told as what there is now. Pure. */
export function isFresh({ startedAt, seconds }: Polled, intervalSeconds: number, monotonic: number): boolean {
  const longest = Math.max(INTERVALS_UNTIL_STALE * intervalSeconds, LEAST_SECONDS_UNTIL_STALE) + seconds;
  return monotonic - startedAt <= longest * 1000;
}

/** The usage of an account's sites, while it is fresh. */
export function usageNow(
  usage: UsagePoll,
  session: Pick<AccountSession, 'changes'>,
  clock: Clock,
): UsageLook['bySite'] | undefined {
  const look = usage.last(session)?.look;
  return look && isFresh(look, USAGE_INTERVAL_MILLISECONDS / 1000, clock.monotonic()) ? look.bySite : undefined;
}

/** What the poll of each list of each account was like; of accounts that the service knows. */
export function pollSource(registry: AccountRegistry, clock: Clock): MetricSource {
  return (show) => {
    for (const { account, session, polled } of registry.sessions()) {
      if (!session.verified) continue;
      for (const { list, zone = '', informer, intervalSeconds } of polled) {
        const snapshot = informer.snapshot();
        showPoll(show, clock, { account, list, zone }, intervalSeconds, informer.lastError() !== undefined, {
          startedAt: snapshot?.startedAt,
          seconds: informer.lastSeconds(),
          items: snapshot?.items.size,
        });
      }
    }
  };
}

/** The same of the poll of usage. */
export function usagePollSource(registry: AccountRegistry, usage: UsagePoll, clock: Clock): MetricSource {
  return (show) => {
    for (const { account, session } of registry.sessions()) {
      const last = usage.last(session);
      if (!session.verified || !last) continue;
      showPoll(show, clock, { account, list: 'usage', zone: '' }, USAGE_INTERVAL_MILLISECONDS / 1000, last.failed, {
        ...last.look,
        items: last.look?.bySite.size,
      });
    }
  };
}

function showPoll(
  show: Parameters<MetricSource>[0],
  clock: Clock,
  labels: { readonly account: string; readonly list: string; readonly zone: string },
  intervalSeconds: number,
  failed: boolean,
  { startedAt, seconds, items }: { readonly [K in keyof Polled | 'items']?: number | undefined },
): void {
  show('edgeline_poll_interval_seconds', labels, intervalSeconds);
  show('edgeline_poll_failed', labels, failed ? 1 : 0);
  if (startedAt === undefined) return;
  const at = clock.now() - (clock.monotonic() - startedAt);
  show('edgeline_poll_success_timestamp_seconds', labels, Math.round(at) / 1000);
  if (seconds !== undefined) show('edgeline_poll_duration_seconds', labels, Math.round(seconds * 1000) / 1000);
  if (items !== undefined) show('edgeline_poll_items', labels, items);
}
