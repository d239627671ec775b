import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatAge } from '../../../../src/age.ts';
import { render, type TableRow } from '../../../../src/sandbox/display/table-render.ts';

const truck: TableRow = { kind: 'Sim', namespace: 'fleet', name: 'truck-17', ready: 'True', reason: 'Ready', age: 65 };
const gateway: TableRow = {
  kind: 'MobileGateway',
  namespace: 'fleet',
  name: 'tokyo',
  ready: 'False',
  reason: 'WaitingForInstance',
  age: 3 * 86_400,
};

describe('the table', () => {
  it('has columns as wide as they need to be', () => {
    expect(render([truck, gateway], 100)).toEqual([
      'KIND           NAMESPACE  NAME      READY  REASON              AGE',
      'Sim            fleet      truck-17  True   Ready               65s',
      'MobileGateway  fleet      tokyo     False  WaitingForInstance  3d',
    ]);
  });

  it('shortens the reason first when it is too wide', () => {
    expect(render([truck, gateway], 60)).toEqual([
      'KIND           NAMESPACE  NAME      READY  REASON        AGE',
      'Sim            fleet      truck-17  True   Ready         65s',
      'MobileGateway  fleet      tokyo     False  WaitingForI…  3d',
    ]);
  });

  it('says where columns are left out, as there is no room for them', () => {
    expect(render([truck, gateway], 40)).toEqual([
      'KIND    NAMESPACE  NAME    READY  …',
      'Sim     fleet      truck…  True   …',
      'Mobil…  fleet      tokyo   False  …',
    ]);
  });

  it('has headings only when there is nothing', () => {
    expect(render([], 80)).toEqual(['KIND  NAMESPACE  NAME  READY  REASON  AGE']);
  });

  it('colours whether a resource is ready', () => {
    expect(render([{ ...truck, namespace: '', reason: '' }], 80, { colours: true })[1]).toBe(
      'Sim              truck-17  \u001b[32mTrue \u001b[0m          65s',
    );
  });

  it('has no line longer than the terminal is wide, and one for each row', () => {
    const row = fc.record({
      kind: fc.constantFrom('Sim', 'MobileGateway', 'ClusterCloudAccount'),
      namespace: fc.stringMatching(/^[a-z0-9-]{0,63}$/),
      name: fc.stringMatching(/^[a-z0-9.-]{1,80}$/),
      ready: fc.constantFrom('True', 'False', 'Unknown'),
      reason: fc.stringMatching(/^[A-Za-z]{0,40}$/),
      age: fc.nat(10 ** 9),
    }) satisfies fc.Arbitrary<TableRow>;
    fc.assert(
      fc.property(fc.array(row, { maxLength: 20 }), fc.integer({ min: 1, max: 250 }), (rows, width) => {
        const lines = render(rows, width);
        expect(lines).toHaveLength(rows.length + 1);
        expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe('an age', () => {
  it.each([
    [-1, '0s'],
    [0, '0s'],
    [119.9, '119s'],
    [120, '2m'],
    [307, '5m7s'],
    [600, '10m'],
    [2 * 3_600, '120m'],
    [3 * 3_600, '3h'],
    [47 * 3_600, '47h'],
    [48 * 3_600, '2d'],
  ])('of %d seconds is %s', (seconds, text) => {
    expect(formatAge(seconds)).toBe(text);
  });
});
