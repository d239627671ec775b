import { expect, test } from 'vitest';
import { NotFoundError, RetryableError } from '../../../../src/cloud/errors.ts';
import { createGatewayLocator } from '../../../../src/kinds/sim/locate-gateway.ts';
import type { AccountSession } from '../../../../src/reconcile/session.ts';
import { partial } from '../../../support/partial.ts';

const CALL = { lane: 'verify' } as const;
const page = <T>(items: readonly T[]) => ({ from: 0, items, total: items.length, count: items.length });

/** An account with two gateways, `old` with SIM 1 and `kept` with SIM 2. */
function accountOf() {
  let now = 0;
  let read = 0;
  let failing = 0;
  const there = new Map([
    ['old', ['1']],
    ['kept', ['2']],
  ]);
  const session = partial<AccountSession>({
    client: {
      gateways: {
        async list(zone: string) {
          if (failing-- > 0) throw new RetryableError('down', '', { route: 'GET /appliance' });
          return page(zone === 'is1a' ? [...there.keys()].map((id) => ({ id })) : []);
        },
        async sims(_: string, id: string) {
          read++;
          if (!there.has(id))
            throw new NotFoundError('it is gone', '', { route: 'GET /appliance/:id/mobilegateway/sims' });
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
  /** How many lists of SIMs were read since it was asked last. */
  const reads = () => {
    const count = read;
    read = 0;
    return count;
  };
  const fail = () => {
    failing = 1;
  };
  return { there, isOn, locate, reads, fail, now: () => now };
}

test('what was found of SIMs and gateways is forgotten with the look that shows them no more', async () => {
  const { there, isOn, locate, reads, now } = accountOf();
  expect([await isOn('old', '1'), await isOn('kept', '2')]).toEqual([true, true]);
  expect(await locate('1')).toEqual({ zone: 'is1a', id: 'old' });
  there.delete('old');
  expect(await locate('3', now())).toBeUndefined();
  reads();
  expect([await isOn('kept', '2'), await locate('2'), reads()]).toEqual([true, { zone: 'is1a', id: 'kept' }, 0]);
  await expect(isOn('old', '1')).rejects.toThrow('it is gone');
  expect(await locate('1')).toBeUndefined();
});

test('a SIM is looked for at the gateway that had it last, and everywhere only where that has it no more', async () => {
  const { there, locate, reads, now } = accountOf();
  expect([await locate('2'), reads()]).toEqual([{ zone: 'is1a', id: 'kept' }, 2]);
  expect([await locate('2', now()), reads()]).toEqual([{ zone: 'is1a', id: 'kept' }, 1]);
  there.set('old', ['1', '2']).set('kept', []);
  expect([await locate('2', now()), reads()]).toEqual([{ zone: 'is1a', id: 'old' }, 3]);
  there.delete('old');
  expect([await locate('2', now()), reads()]).toEqual([undefined, 2]);
});

test('a gateway that does not show a SIM is asked again for the next one of its group', async () => {
  const { there, isOn } = accountOf();
  expect([await isOn('old', '2'), await isOn('old', '2')]).toEqual([false, false]);
  there.set('old', ['1', '2']);
  expect(await isOn('old', '2')).toBe(true);
  there.set('old', []);
  // Once it has shown one of the group, the group says it.
  expect(await isOn('old', '2')).toBe(true);
});

test('a look that failed is nobody’s: the next one is taken, however little time has passed', async () => {
  const { locate, fail } = accountOf();
  fail();
  await expect(locate('1')).rejects.toThrow('down');
  expect(await locate('1')).toEqual({ zone: 'is1a', id: 'old' });
});
