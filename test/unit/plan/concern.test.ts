import { expect, it } from 'vitest';
import { concernOf } from '../../../src/plan/concern.ts';
import type { StoredObject } from '../../../src/shadow/apiserver/apiserver.ts';

const ICCID = '8981040000000000017';

function sim(name: string, iccid: string, synced: 'True' | 'False'): StoredObject {
  const metadata = { name, namespace: 'fleet', uid: name, resourceVersion: '1', generation: 1, creationTimestamp: '' };
  const condition = { type: 'Synced', status: synced, reason: 'AlreadyManaged', observedGeneration: 1 };
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata,
    spec: { iccid },
    status: { conditions: [condition] },
  };
}

const only = (sims: readonly StoredObject[]) => (plural: string) => (plural === 'sims' ? sims : []);

it('what waits for what is gone at once is concerned, for it had no finalizer', () => {
  const waiting = sim('waiting', ICCID, 'False');
  const inSync = sim('in-sync', ICCID, 'True');
  const elsewhere = sim('elsewhere', '8981040000000000025', 'False');
  const key = 'sims/fleet/gone';
  const { concerned, neighbours } = concernOf(
    only([waiting, inSync, elsewhere]),
    only([sim('gone', ICCID, 'False'), waiting, inSync, elsewhere]),
    { named: new Set(), changed: new Set([key]), created: new Set(), deleted: new Set([key]) },
  );
  expect([[...concerned], [...neighbours]]).toEqual([['sims/fleet/waiting'], ['sims/fleet/in-sync']]);
});

it.each([{ siteRef: { name: 'shop' } }, { siteID: '113300000003' }])(
  'a new certificate is near the one that its site has already, however either names the site: %o',
  (spec) => {
    const of = (kind: string, name: string, given: object, status: object = {}): StoredObject => ({
      ...sim(name, ICCID, 'True'),
      kind,
      spec: given,
      status: {
        conditions: [{ type: 'Synced', status: 'True', reason: 'Available', observedGeneration: 1 }],
        ...status,
      },
    });
    const site = of('WebAccelSite', 'shop', { domain: 'shop.example.jp' }, { id: '113300000003' });
    const own = of('SiteCertificate', 'shop', { siteRef: { name: 'shop' } }, { id: '113300000003' });
    const made = of('SiteCertificate', 'another', spec);
    const key = 'sitecertificates/fleet/another';
    const cluster = (certificates: StoredObject[]) => (plural: string) =>
      plural === 'sitecertificates' ? certificates : plural === 'webaccelsites' ? [site] : [];
    const { concerned, neighbours } = concernOf(cluster([own, made]), cluster([own]), {
      named: new Set([key]),
      changed: new Set([key]),
      created: new Set([key]),
      deleted: new Set(),
    });
    expect([[...concerned], [...neighbours].toSorted()]).toEqual([
      [key],
      ['sitecertificates/fleet/shop', 'webaccelsites/fleet/shop'],
    ]);
  },
);

it('what sends of a Secret that changes is concerned though no manifest names it, and so is not a SIM that is there', () => {
  const synced = [{ type: 'Synced', status: 'True', reason: 'Available', observedGeneration: 1 }];
  const of = (kind: string, name: string, spec: object): StoredObject => ({
    ...sim(name, ICCID, 'True'),
    kind,
    spec,
    status: { conditions: synced },
  });
  const cluster: Record<string, StoredObject[]> = {
    sims: [of('Sim', 'there', { iccid: ICCID, passCodeSecretRef: { name: 'all', key: 'code' } })],
    webaccelsites: [
      of('WebAccelSite', 'shop', { siteID: '113300000003', oneTimeURLSecretRef: { name: 'all', key: 'once' } }),
      of('WebAccelSite', 'other', { siteID: '113300000004', oneTimeURLSecretRef: { name: 'other', key: 'once' } }),
    ],
    sitecertificates: [of('SiteCertificate', 'shop', { siteRef: { name: 'shop' }, secretRef: { name: 'all' } })],
  };
  const { concerned } = concernOf(
    (plural) => cluster[plural] ?? [],
    (plural) => cluster[plural] ?? [],
    {
      named: new Set(),
      changed: new Set(['secrets/fleet/all']),
      created: new Set(),
      deleted: new Set(),
    },
  );
  expect([...concerned].toSorted()).toEqual(['sitecertificates/fleet/shop', 'webaccelsites/fleet/shop']);
});
