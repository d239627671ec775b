import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SimItem } from '../../../../src/cloud/sim/types.ts';
import { tellsAll } from '../../../../src/kinds/common/drift-table.ts';
import { simDrift } from '../../../../src/kinds/sim/drift-table.ts';
import type { Sim } from '../../../../src/kinds/sim/schema.ts';

const arbitraryTraffic = fc.option(
  fc.record({ uplinkBytes: fc.nat({ max: 2000 }), downlinkBytes: fc.nat({ max: 2000 }) }),
  { nil: undefined },
);
const arbitraryLimit = fc.constantFrom<Sim['spec']['dataLimit']>(undefined, { monthly: '1k', action: 'Warn' });
const excess = { month: '2026-11', exceededAt: '2026-11-20T00:00:00Z', bytes: 1500 };

function itemWith(traffic: NonNullable<SimItem['status']>['traffic']): SimItem {
  const status = {
    iccid: '8981040000000000001',
    imsi: [],
    imeiLock: false,
    registered: true,
    activated: true,
    resourceID: '113300000001',
    ...(traffic && { traffic }),
  };
  return { id: '113300000001', name: 'a', iccid: status.iccid, availability: 'available', tags: [], status };
}

test('of a SIM of which only the traffic moved, a status that told all tells all, unless it does not tell of the limit', () => {
  const isTold = tellsAll(simDrift);
  fc.assert(
    fc.property(
      arbitraryTraffic,
      arbitraryTraffic,
      arbitraryLimit,
      fc.boolean(),
      (before, after, dataLimit, isRecorded) => {
        const [old, item] = [itemWith(before), itemWith(after)];
        const status = { ...simDrift.seen(old).shown, ...(isRecorded && { dataLimit: excess }) };
        const sim: Sim = {
          apiVersion: 'edgeline.dev/v1alpha1',
          kind: 'Sim',
          metadata: { name: 'a', namespace: 'b', uid: 'c', resourceVersion: '1' },
          spec: { iccid: '8981040000000000001', dataLimit },
          status,
        };
        fc.pre(isTold(sim, status, simDrift.seen(old)));
        expect(simDrift.moving?.isSame(old, item)).toBe(true);
        expect(simDrift.moving?.isTold(status, item, sim)).toBe(isTold(sim, status, simDrift.seen(item)));
      },
    ),
  );
});
