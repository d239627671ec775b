import { expect, test } from 'vitest';
import { createHoldings, HOLDER_LEASE } from '../../../src/kubernetes/holdings.ts';
import type { Informer } from '../../../src/kubernetes/informer.ts';
import type { Lease } from '../../../src/kubernetes/lease-object.ts';
import type { Change } from '../../../src/kubernetes/store.ts';
import { createLogger } from '../../../src/telemetry/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryClient } from './memory-client.ts';

const PATH = `leases/fleet/${HOLDER_LEASE}`;

/** What is told of one namespace that is wanted, as its Lease is written by this installation and by others. */
async function played() {
  const store = memoryClient();
  const told: string[] = [];
  let seen: Lease | undefined;
  let tell: (change: Change<Lease>) => void = () => undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of an informer as holdings ask for
  const leases = {
    get: () => seen,
    put: (lease: Lease) => {
      seen = lease;
    },
    onChange: (handler: typeof tell) => {
      tell = handler;
    },
  } as unknown as Informer<Lease>;
  const holdings = createHoldings({
    client: store.client,
    leases,
    identity: 'here',
    seconds: 60,
    wanted: () => ['fleet'],
    onTaken: () => told.push('taken'),
    onLost: () => told.push('lost'),
    onRival: () => undefined,
    clock: new ManualClock(),
    random: () => 0.5,
    log: createLogger({ level: 'silent', format: 'json' }),
  });
  await holdings.start(new AbortController().signal);

  /** The watch brings it. */
  function see(holderIdentity: string | undefined): void {
    const old = seen;
    const metadata = { name: HOLDER_LEASE, namespace: 'fleet', uid: '1', resourceVersion: '9' };
    const kind = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
    seen = holderIdentity === undefined ? undefined : { ...kind, metadata, spec: { holderIdentity } };
    tell({ ...(old && { old }), ...(seen && { new: seen }) });
  }
  return { store, told, see };
}

test.each<[string, readonly (string | undefined)[]]>([
  ['takes it over', ['there']],
  ['is the first to make the Lease that somebody deleted', [undefined, 'there']],
])('a namespace is lost when another %s', async (_, holders) => {
  const { store, told, see } = await played();
  expect([told, store.objects.has(PATH)]).toEqual([['taken'], true]);
  // The other one's is there already: this installation cannot make it.
  for (const holder of holders) see(holder);
  see('there');
  expect(told).toEqual(['taken', 'lost']);
});
