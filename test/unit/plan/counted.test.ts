import { describe, expect, it } from 'vitest';
import { keyOf, type ObjectJson } from '../../../src/plan/objects.ts';
import { planOf } from '../../../src/plan/plan.ts';

const NOW = Date.UTC(2026, 5, 1);
const LONG_AGO = '2026-01-01T00:00:00Z';

const edgeline = (kind: string, metadata: object, spec: object, status?: object): ObjectJson => ({
  apiVersion: 'edgeline.dev/v1alpha1',
  kind,
  metadata: { uid: `uid-${kind}-${JSON.stringify(metadata)}`, generation: 1, creationTimestamp: LONG_AGO, ...metadata },
  spec,
  ...(status && { status }),
});
const namespace = (name: string): ObjectJson => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
const credentials = { baseURL: 'https://api.example.jp', credentialsSecretRef: { name: 'credentials' } };
const own = edgeline('CloudAccount', { name: 'default', namespace: 'fleet' }, credentials);
const shared = edgeline('ClusterCloudAccount', { name: 'default' }, { ...credentials, secretNamespace: 'fleet' });
const conditions = ['Ready', 'Synced'].map((type) => ({
  type,
  status: 'True',
  reason: 'Available',
  message: 'Well.',
  observedGeneration: 1,
  lastTransitionTime: LONG_AGO,
}));

/** Sims that the operator made, in sync; each with a number of its own. */
function sims(numbers: readonly number[], accountRef: object, place = 'fleet'): ObjectJson[] {
  return numbers.map((number) => {
    const id = String(113300000000 + number);
    const iccid = String(8981040000000000000n + BigInt(number));
    const metadata = { name: `truck-${number}`, namespace: place, finalizers: ['edgeline.dev/create'] };
    const status = { id, iccid, activated: false, registered: false, ownership: 'Created', accountRef, applied: {} };
    return edgeline('Sim', metadata, { iccid }, { ...status, observedGeneration: 1, conditions });
  });
}

const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index);
const CLOUD = { kind: 'CloudAccount', name: 'default' };
const CLUSTER = { kind: 'ClusterCloudAccount', name: 'default' };

/** What is deleted, and why the rest is not, where so many of the Sims are pruned. */
async function pruned(count: number, cluster: readonly ObjectJson[]) {
  const plan = await planOf(
    {
      cluster,
      manifests: [],
      namespace: 'fleet',
      prune: new Set(upTo(count).map((number) => keyOf('sims', 'fleet', `truck-${number}`))),
      now: NOW,
    },
    {
      secrets: async (names) => ({ found: [], forbidden: names }),
      ask: async (questions) => {
        const asked = questions.reduce((sum, { objects }) => sum + objects.sims.length, 0);
        expect(asked).toBe(count);
        return { answers: new Map(), unknown: new Map(), notes: [] };
      },
    },
  );
  return {
    calls: plan.calls.map(({ method, path }) => `${method} ${path}`).toSorted(),
    held: plan.unsettled.map(({ reason, message }) => `${reason}: ${message.split('. ')[0]}.`),
  };
}

const deletions = (count: number) => upTo(count).map((number) => `DELETE /commonserviceitem/${113300000000 + number}`);

describe('a brake in a plan counts among all that the namespace has in the account', () => {
  it.each([
    ['an account of the namespace', own, CLOUD],
    ['an account of the cluster', shared, CLUSTER],
  ])('so that as few go as would: %s', async (_, account, ref) => {
    const cluster = [namespace('fleet'), account, ...sims(upTo(10), ref)];
    expect(await pruned(4, cluster)).toEqual({ calls: deletions(4), held: [] });
  });

  it('and as many are held as would', async () => {
    const { calls, held } = await pruned(8, [namespace('fleet'), own, ...sims(upTo(10), CLOUD)]);
    expect({ calls, held }).toEqual({ calls: [], held: upTo(8).map(() => expect.stringContaining('8 of the 10')) });
  });

  it('and neither what another namespace has in it, nor what this one has in another', async () => {
    const elsewhere = [namespace('depot'), ...sims(upTo(10, 101), CLUSTER, 'depot'), ...sims(upTo(10, 201), CLOUD)];
    const { calls, held } = await pruned(4, [namespace('fleet'), own, shared, ...sims(upTo(4), CLUSTER), ...elsewhere]);
    expect({ calls, held }).toEqual({ calls: [], held: upTo(4).map(() => expect.stringContaining('4 of the 4')) });
  });
});
