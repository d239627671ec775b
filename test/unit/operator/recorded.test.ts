import { describe, expect, it } from 'vitest';
import { createListInformer } from '../../../src/cloud/list/informer.ts';
import type { Sim } from '../../../src/kinds/sim/schema.ts';
import { recordedIn } from '../../../src/operator/recorded.ts';
import type { AccountSession } from '../../../src/reconcile/session.ts';
import { ManualClock, settle } from '../../support/manual-clock.ts';

const id = '113300000001';
const sim: Sim = {
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'Sim',
  metadata: { name: 'truck', namespace: 'fleet', uid: 'u', resourceVersion: '1' },
  spec: { iccid: '8981040000000000001' },
  status: { id, iccid: '8981040000000000001' },
};

/** What the list tells of the one Sim, with what the service lists now. */
async function startList(listed: { ids: string[] }) {
  const clock = new ManualClock();
  const list = createListInformer<{ readonly id: string }>({
    fetchPage: async () => {
      const items = listed.ids.map((one) => ({ id: one }));
      return { from: 0, count: items.length, total: items.length, items };
    },
    idOf: (item) => item.id,
    equal: () => true,
    // What goes has a reason here, so that one list is believed.
    explained: () => true,
    clock,
    random: () => 0.5,
    intervalSeconds: 60,
    pageSize: 1000,
  });
  const { partsOf } = recordedIn<Sim, { readonly id: string }>({
    api: 'cloud',
    word: 'SIM',
    list: () => list,
    isIt: () => true,
  });
  list.start();
  await settle();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the list is given above, and nothing else is asked of it
  const session = {} as AccountSession;
  return {
    clock,
    recorded: (isNew: boolean) => partsOf([sim], session, () => isNew).flatMap((part) => part.recorded()),
  };
}

describe('what is on record and not on a list', () => {
  const missing = [{ key: 'Sim/fleet/truck', what: `SIM ${id}`, isThere: false }];

  it('is missing', async () => {
    const { recorded } = await startList({ ids: [] });
    expect(recorded(false)).toEqual(missing);
  });

  it('tells nothing while it is new and no list has shown it', async () => {
    const { recorded } = await startList({ ids: [] });
    expect(recorded(true)).toEqual([]);
  });

  it('is missing, however new it is, once a list has shown it', async () => {
    const listed = { ids: [id] };
    const { clock, recorded } = await startList(listed);
    expect(recorded(true)).toEqual([{ ...missing[0], isThere: true }]);
    listed.ids = [];
    await clock.advance(60_000);
    expect(recorded(true)).toEqual(missing);
  });
});

it('nothing is compared, and nothing asked for, where there is no such place', () => {
  const asked: string[] = [];
  const { partsOf } = recordedIn<Sim, { readonly id: string }>({
    api: 'cloud',
    word: 'SIM',
    placeOf: ({ metadata }) => metadata.name,
    isPlace: (_, place) => place !== 'made-up',
    list(_, place) {
      asked.push(place);
      return {
        snapshot: () => undefined,
        hasShown: () => false,
        observeAfter: () => Promise.reject(new Error('none')),
      };
    },
    isIt: () => true,
  });
  const madeUp: Sim = { ...sim, metadata: { ...sim.metadata, name: 'made-up' } };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing is asked of it
  const parts = partsOf([sim, madeUp], {} as AccountSession, () => false);
  expect(parts.map((part) => part.isListed())).toEqual([false]);
  expect(asked).toEqual(['truck']);
});
