import { describe, expect, it } from 'vitest';
import { holdMissing, isAccepted, isDoubtful } from '../../../../src/kinds/cloud-account/losses.ts';

function recorded(there: number, missing: number) {
  return Array.from({ length: there + missing }, (_, n) => ({
    key: `Sim/fleet/truck-${n}`,
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
      expect([isDoubtful(all, false), isDoubtful(all, true)]).toEqual([known, anew]);
    },
  );

  it('is told with names and the command that accepts it', () => {
    const proposal = { account: 'CloudAccount/fleet/default', until: '2026-01-02T00:00:00Z' };
    expect(holdMissing({ recorded: recorded(0, 4), isNewAccess: false, proposal }).message).toBe(
      '4 of the 4 objects that resources have in the account are missing all at once: SIM 0 (Sim fleet/truck-0), SIM 1 (Sim fleet/truck-1), SIM 2 (Sim fleet/truck-2), … (4 in all). Nothing is created again or considered deleted until that is clear: wait if the service has trouble; or, if they are really gone, say so: kubectl annotate -n fleet --overwrite cloudaccount default edgeline.dev/accept-missing-until=2026-01-02T00:00:00Z',
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
