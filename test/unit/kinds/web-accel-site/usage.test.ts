import { expect, test } from 'vitest';
import type { CloudClient } from '../../../../src/cloud/client.ts';
import { createChanges } from '../../../../src/kinds/cloud-account/changes.ts';
import { createUsagePoll, USAGE_INTERVAL_MILLISECONDS } from '../../../../src/kinds/web-accel-site/usage.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

test('usage is looked at once for accounts that are one at the service, and belongs to them alone', async () => {
  const clock = new ManualClock();
  let requests = 0;
  const monthlyUsage = async () => {
    requests++;
    return { usages: [] };
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of the client, only this is asked for
  const client = { sites: { monthlyUsage } } as unknown as CloudClient;
  const shared = createChanges(() => clock.monotonic());
  const other = createChanges(() => clock.monotonic());
  const usage = createUsagePoll(clock);
  await usage.refresh({ changes: shared, client });
  await usage.refresh({ changes: shared, client });
  expect([requests, usage.last({ changes: shared })?.failed, usage.last({ changes: other })]).toEqual([
    1,
    false,
    undefined,
  ]);
  await clock.advance(USAGE_INTERVAL_MILLISECONDS);
  await usage.refresh({ changes: shared, client });
  expect(requests).toBe(2);
});
