import { describe, expect, it } from 'vitest';
import { concerns, doubtOf, holdMissing, isAccepted, isOfAnother } from '../../../../src/kinds/cloud-account/losses.ts';

function recorded(there: number, missing: number, namespace = 'fleet') {
  return Array.from({ length: there + missing }, (_, n) => ({
    key: `Sim/${namespace}/truck-${n}`,
    what: `SIM ${n}`,
    isThere: n < there,
  }));
}

describe('what is missing', () => {
  it.each([
    { there: 0, missing: 0, known: false, anew: false },
    { there: 0, missing: 1, known: false, anew: true },
    { there: 0, missing: 2, known: false, anew: true },
    { there: 0, missing: 3, known: true, anew: true },
    { there: 27, missing: 3, known: true, anew: true },
    { there: 28, missing: 3, known: false, anew: true },
    { there: 999, missing: 1, known: false, anew: true },
    { there: 900, missing: 100, known: true, anew: true },
    { there: 1000, missing: 0, known: false, anew: false },
  ])(
    'of $there and $missing is doubtful: $known; through new credentials: $anew',
    ({ there, missing, known, anew }) => {
      const all = recorded(there, missing);
      expect([doubtOf(all), isOfAnother(all)]).toEqual([known ? 'all' : undefined, anew]);
    },
  );

  it.each([
    [
      'of one among others casts doubt on that one alone',
      [
        [20, 0],
        [0, 9],
      ],
      ['second'],
    ],
    [
      'of one among others, and few of it, casts none',
      [
        [20, 0],
        [31, 3],
      ],
      undefined,
    ],
    ['of one that has everything casts doubt on all', [[0, 3]], 'all'],
    [
      'of several, each of which lacks much, casts doubt on all',
      [
        [0, 3],
        [2, 3],
      ],
      'all',
    ],
    [
      'of several, few of each, casts doubt on all',
      [
        [1, 1],
        [1, 1],
        [1, 1],
      ],
      'all',
    ],
    [
      'of several, few of each and a small part of all, casts none',
      [
        [10, 1],
        [10, 1],
        [10, 1],
      ],
      undefined,
    ],
    [
      'of two, two of each, casts doubt on all',
      [
        [5, 2],
        [5, 2],
      ],
      'all',
    ],
  ] as const)('in namespaces, %s', (_, counts, expected) => {
    const names = ['first', 'second', 'third'];
    const all = counts.flatMap(([there, missing], index) => recorded(there, missing, names[index]));
    const doubt = doubtOf(all);
    expect(doubt instanceof Set ? [...doubt] : doubt).toEqual(expected);
  });

  it.each([
    [undefined, 'fleet', false],
    ['all', 'fleet', true],
    ['all', undefined, true],
    [new Set(['fleet']), 'fleet', true],
    [new Set(['fleet']), 'depot', false],
    [new Set(['fleet']), undefined, false],
  ] as const)('%s concerns %s: %s', (doubt, namespace, expected) => {
    expect(concerns(doubt, namespace)).toBe(expected);
  });

  it('is told with names and the command that accepts it', () => {
    const proposal = { account: 'CloudAccount/fleet/default', until: '2026-01-02T00:00:00Z' };
    expect(holdMissing({ recorded: recorded(0, 4), isNewAccess: false, proposal }).message).toBe(
      '4 of the 4 objects that resources have in the account are missing all at once: SIM 0 (Sim fleet/truck-0), SIM 1 (Sim fleet/truck-1), SIM 2 (Sim fleet/truck-2), … (4 in all). Nothing is created again or considered deleted until that is clear: wait if the service has trouble; or, if they are really gone, say so: kubectl annotate -n fleet --overwrite cloudaccount default edgeline.dev/accept-missing-until=2026-01-02T00:00:00Z',
    );
    const mixed = [...recorded(5, 0, 'depot'), ...recorded(1, 3)];
    expect(holdMissing({ recorded: mixed, isNewAccess: false, namespace: 'fleet', proposal }).message).toMatch(
      /^3 of the 4 objects that resources of namespace fleet have in the account are missing all at once: SIM 1 /,
    );
    const cluster = { ...proposal, account: 'ClusterCloudAccount//default' };
    expect(holdMissing({ recorded: recorded(3, 1), isNewAccess: true, proposal: cluster }).message).toBe(
      'With the baseURL and access token as they are now, the account does not show 1 of the 4 objects its resources have: SIM 3 (Sim fleet/truck-3). They may be of another account or service. Nothing is done with them until that is clear: put baseURL or the Secret back; or, if they are really gone, say so: kubectl annotate --overwrite clustercloudaccount default edgeline.dev/accept-missing-until=2026-01-02T00:00:00Z',
    );
  });
});

describe('a word that accepts a loss', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  it.each([
    [undefined, false],
    ['', false],
    ['true', false],
    ['2025-12-31T23:59:59Z', false],
    ['2026-01-01T00:00:01Z', true],
    ['2026-01-02T00:00:00Z', true],
    ['2026-01-02T09:00:00+09:00', true],
    ['2026-01-03T00:00:00Z', false],
    ['9999-01-01T00:00:00Z', false],
  ])('%s counts: %s', (annotation, counts) => {
    expect(isAccepted(annotation, now)).toBe(counts);
  });
});
