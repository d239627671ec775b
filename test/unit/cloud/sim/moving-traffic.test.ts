import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { toSimItem } from '../../../../src/cloud/sim/mapping.ts';
import { movingTraffic } from '../../../../src/cloud/sim/moving-traffic.ts';
import { sameSim } from '../../../../src/cloud/sim/same.ts';
import { simItemWire } from '../../../../src/cloud/sim/wire.ts';

const itemWith = (traffic: unknown) =>
  toSimItem(
    simItemWire.parse({
      ID: '1',
      Tags: [],
      Status: { sim: { iccid: '8', imsi: [], traffic_bytes_of_current_month: traffic } },
    }),
  );

const traffic = fc.record({
  uplink_bytes: fc.oneof(fc.nat(), fc.constantFrom('5', '', null, 1e21)),
  downlink_bytes: fc.oneof(fc.nat(), fc.constantFrom(0, undefined)),
});

test('a SIM with other traffic is what reading it anew would give, or it is read anew', () => {
  fc.assert(
    fc.property(traffic, traffic, (before, after) => {
      const item = itemWith(before);
      const moved = movingTraffic.moved(item, JSON.stringify(before), JSON.stringify(after));
      const isOfNumbers = [before, after].flatMap(Object.values).every(Number.isFinite);
      expect(moved).toEqual(isOfNumbers ? itemWith(after) : undefined);
      expect(sameSim(item, moved ?? item)).toBe(true);
    }),
  );
});

test.each([
  [
    'another number than the item has',
    '{"uplink_bytes":9,"downlink_bytes":2}',
    '{"uplink_bytes":1,"downlink_bytes":3}',
  ],
  ['what is no JSON', '{"uplink_bytes":1,"downlink_bytes":2}', '{"uplink_bytes":1,}'],
  ['a number too large for any', '{"uplink_bytes":1,"downlink_bytes":2}', '{"uplink_bytes":1e999,"downlink_bytes":2}'],
])('nothing is made of %s', (_, from, to) => {
  expect(movingTraffic.moved(itemWith({ uplink_bytes: 1, downlink_bytes: 2 }), from, to)).toBeUndefined();
});
