import { expect, it } from 'vitest';
import { HOLDER_LEASE } from '../../../src/kubernetes/holdings.ts';
import type { Lease } from '../../../src/kubernetes/lease-object.ts';
import type { Change } from '../../../src/kubernetes/store.ts';
import { createInstallation } from '../../../src/operator/installation.ts';
import type { ObjectKey } from '../../../src/reconcile/reconciler.ts';
import { createLogger } from '../../../src/telemetry/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { partial } from '../../support/partial.ts';
import { memoryClient } from '../kubernetes/memory-client.ts';

const PATH = `leases/fleet/${HOLDER_LEASE}`;
const KEYS: readonly ObjectKey[] = ['Sim/fleet/a', 'Sim/fleet/b'];

/** What is looked at and forgotten of a namespace with two Sims, as its Lease is written by this installation and by others. */
async function played() {
  const clock = new ManualClock();
  const store = memoryClient();
  let seen: Lease | undefined;
  let tell: (change: Change<Lease>) => void = () => undefined;
  const looked: string[] = [];
  const sims = ['a', 'b'].map((name) => ({ metadata: { namespace: 'fleet', name } }));
  const Sim = {
    namespaces: () => ['fleet'],
    byNamespace: () => sims,
    get: (_: string, name: string) => sims.find(({ metadata }) => metadata.name === name),
  };
  const installation = createInstallation({
    client: store.client,
    informers: partial({
      accounts: { namespaces: () => [], byNamespace: () => [] },
      managed: new Map([['Sim', Sim]]),
      holders: {
        get: () => seen,
        put: (lease: Lease) => void (seen = lease),
        onChange: (handler: typeof tell) => void (tell = handler),
      },
    }),
    registry: partial({}),
    events: partial({}),
    identity: 'here',
    holdSeconds: 900,
    enqueue: (key) => void looked.push(`look ${key}`),
    forget: (key) => void looked.push(`forget ${key}`),
    onTookOver: (namespace) => void looked.push(`from another ${namespace}`),
    clock,
    random: () => 0.5,
    log: createLogger({ level: 'silent', format: 'json' }),
  });
  await installation.start(new AbortController().signal);
  const passed: ObjectKey[] = [];
  const own = installation.own({
    kind: 'Sim',
    async reconcile(key) {
      passed.push(key);
      return { requeue: 'never' };
    },
  });

  /** The watch brings it; no holder: somebody deleted it. */
  async function see(holderIdentity: string | undefined, meanwhile: readonly ObjectKey[] = []): Promise<void> {
    const old = seen;
    const metadata = { name: HOLDER_LEASE, namespace: 'fleet', uid: '1', resourceVersion: '9' };
    seen = holderIdentity === undefined ? undefined : partial<Lease>({ metadata, spec: { holderIdentity } });
    if (!seen) store.objects.delete(PATH);
    tell({ ...(old && { old }), ...(seen && { new: seen }) });
    for (const key of meanwhile) await own.reconcile(key, new AbortController().signal, partial({}));
    await clock.advance(0);
  }
  return { looked, passed, see };
}

const ALL = KEYS.flatMap((key) => [`forget ${key}`, `look ${key}`]);

it('of a namespace whose Lease was only deleted nothing is looked at but what waited for it', async () => {
  const { looked, passed, see } = await played();
  expect(looked.splice(0)).toEqual(ALL);
  await see(undefined, ['Sim/fleet/b']);
  expect([looked.splice(0), passed]).toEqual([['look Sim/fleet/b'], []]);
  await see(undefined, ['Sim/fleet/gone']);
  expect(looked).toEqual(['forget Sim/fleet/gone']);
});

it('of a namespace that another had everything is looked at, as if for the first time', async () => {
  const { looked, see } = await played();
  looked.length = 0;
  await see('there', ['Sim/fleet/b']);
  expect(looked).toEqual([]);
  await see(undefined, ['Sim/fleet/b']);
  expect(looked).toEqual(['from another fleet', ...ALL]);
});
