import { expect, test } from 'vitest';
import type { Page } from '../../../../src/cloud/list/page.ts';
import type { SimItem, SimStatus } from '../../../../src/cloud/sim/types.ts';
import { createGatewayLocator } from '../../../../src/kinds/sim/locate-gateway.ts';
import type { Sim } from '../../../../src/kinds/sim/schema.ts';
import { withAddress } from '../../../../src/kinds/sim/unlisted.ts';
import type { Pass } from '../../../../src/reconcile/kind.ts';

const gateway = { id: 'g', zone: 'tk1a' };
const LISTED_AT = 10;

function statusOf(change: Partial<SimStatus>): SimStatus {
  return { iccid: 'i', imsi: [], imeiLock: false, registered: true, activated: true, resourceID: '1', ...change };
}

function simOf(change: Partial<SimStatus> = {}): SimItem {
  return { id: '1', name: 'truck', iccid: 'i', availability: 'available', tags: [], status: statusOf(change) };
}

/** A pass of a Sim whose status has an address, with what the list of its gateway shows. */
function passOf(there: readonly SimStatus[], recorded?: string) {
  const asked: string[] = [];
  const session = {
    client: {
      gateways: {
        async sims(zone: string, id: string): Promise<Page<SimStatus>> {
          asked.push(`${zone} ${id}`);
          return { from: 0, items: [...there], total: there.length, count: there.length };
        },
      },
    },
  };
  const pass = {
    object: { status: { id: '1', ip: recorded } },
    session,
    notBefore: 0,
    call: () => ({ lane: 'verify' }),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of a pass as is asked
  return { pass: pass as unknown as Pass<Sim>, asked, locator: createGatewayLocator(() => 20) };
}

test('a SIM that a list misses has the address that the list of its gateway shows', async () => {
  const { pass, locator, asked } = passOf([statusOf({ ip: '10.0.0.11' })]);
  const item = simOf();
  expect(await withAddress(pass, locator, { item, gateway }, LISTED_AT)).toEqual({
    item: simOf({ ip: '10.0.0.11' }),
    gateway,
  });
  await withAddress(pass, locator, { item, gateway }, LISTED_AT);
  expect(asked).toEqual(['tk1a g']);
});

test('it has none where that list shows it without one, whatever its status says', async () => {
  const { pass, locator } = passOf([statusOf({})], '10.0.0.11');
  expect(await withAddress(pass, locator, { item: simOf(), gateway }, LISTED_AT)).toEqual({ item: simOf(), gateway });
});

test('its gateway is not known where that list misses it, too', async () => {
  const { pass, locator } = passOf([statusOf({ resourceID: '2', ip: '10.0.0.12' })], '10.0.0.11');
  expect(await withAddress(pass, locator, { item: simOf(), gateway }, LISTED_AT)).toEqual({
    item: simOf({ ip: '10.0.0.11' }),
    gateway: undefined,
  });
});

test('its address is not that of the SIM that a copied status names', async () => {
  const { pass, locator } = passOf([], '10.0.0.11');
  const item = { ...simOf(), id: '2' };
  expect(await withAddress(pass, locator, { item, gateway: undefined }, LISTED_AT)).toEqual({
    item,
    gateway: undefined,
  });
});

test.each([
  ['is shown with an address', simOf({ ip: '10.0.0.9' }), gateway, '10.0.0.9'],
  ['is not registered', simOf({ registered: false }), undefined, undefined],
  ['has a gateway that nobody looked for, and keeps what was seen last', simOf(), undefined, '10.0.0.11'],
])('nothing is asked for one that %s', async (_, item, place, ip) => {
  const { pass, locator, asked } = passOf([], '10.0.0.11');
  const found = await withAddress(pass, locator, { item, gateway: place }, LISTED_AT);
  expect([found.item.status?.ip, found.gateway, asked]).toEqual([ip, place, []]);
});
