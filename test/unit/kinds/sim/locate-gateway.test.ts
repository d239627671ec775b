import { expect, test } from 'vitest';
import { createGatewayLocator } from '../../../../src/kinds/sim/locate-gateway.ts';
import type { AccountSession } from '../../../../src/reconcile/session.ts';
import { partial } from '../../../support/partial.ts';

const CALL = { lane: 'verify' } as const;
const page = <T>(items: readonly T[]) => ({ from: 0, items, total: items.length, count: items.length });

test('what was found of SIMs and gateways is forgotten with the look that shows them no more', async () => {
  let now = 0;
  let read = 0;
  const there = new Map([
    ['old', ['1']],
    ['kept', ['2']],
  ]);
  const session = partial<AccountSession>({
    client: {
      gateways: {
        list: async (zone: string) => page(zone === 'is1a' ? [...there.keys()].map((id) => ({ id })) : []),
        async sims(_: string, id: string) {
          read++;
          return page((there.get(id) ?? []).map((resourceID) => ({ resourceID })));
        },
      },
    },
  });
  const locator = createGatewayLocator(() => ++now);
  const isOn = (id: string, sim: string) =>
    locator.isOn(session, { zone: 'is1a', id }, { id: sim, group: 'g' }, now, CALL);
  const locate = (id: string, notBefore = 0) =>
    locator.locate(session, { id, group: 'g' }, { notBefore, listedAt: notBefore }, CALL);

  expect([await isOn('old', '1'), await isOn('kept', '2')]).toEqual([true, true]);
  expect(await locate('1')).toEqual({ zone: 'is1a', id: 'old' });
  there.delete('old');
  expect(await locate('2', now)).toEqual({ zone: 'is1a', id: 'kept' });
  read = 0;
  expect([await isOn('kept', '2'), await locate('2'), read]).toEqual([true, { zone: 'is1a', id: 'kept' }, 0]);
  expect([await isOn('old', '1'), await locate('1')]).toEqual([false, undefined]);
});
