import { describe, expect, it } from 'vitest';
import { ClusterError } from '../../../src/cli/errors.ts';
import type { Session } from '../../../src/cli/session.ts';
import { type NamedSite, presentOf } from '../../../src/export/present.ts';
import { reportOf } from '../../../src/export/report.ts';
import { readThere } from '../../../src/export/there.ts';
import type { Manifest } from '../../../src/import/terraform/result.ts';

const manifests = ['truck-1', 'truck-2', 'truck-3'].map(
  (name): Manifest => ({
    kind: 'Sim',
    name,
    spec: { iccid: `898104000000000000${name.at(-1)}`, resourceID: `11330000000${name.at(-1)}` },
    from: [],
  }),
);
const resource = (name: string, spec: object, more: object = {}) => ({ metadata: { name }, spec, ...more });

/** A namespace with these. */
const namespaceWith = (objects: readonly object[], of = 'Sim'): Pick<Session, 'list'> => ({
  list: async ({ kind }, namespace) =>
    namespace === 'fleet' && kind === of ? JSON.parse(JSON.stringify(objects)) : [],
});

async function present(session: Pick<Session, 'list'>, of: readonly Manifest[], sites: readonly NamedSite[]) {
  return presentOf(await readThere(session, 'fleet', of), of, sites);
}

describe('a manifest of which the resource is there already', () => {
  it('is named, unless that only observes', async () => {
    const there = namespaceWith([
      resource('truck-1', {}),
      resource('truck-2', { managementPolicy: 'Observe' }),
      resource('van', {}),
    ]);
    expect(await present(there, manifests, [])).toEqual({ same: ['Sim truck-1'], others: [] });
  });

  it.each<[string, object]>([
    ['its status', resource('crane', { iccid: '8981040000000009999' }, { status: { id: '113300000002' } })],
    ['the ID in its spec', resource('crane', { iccid: '8981040000000009999', resourceID: '113300000002' })],
    ['its ICCID', resource('crane', { iccid: '8981040000000000002' })],
    [
      'its ICCID, though it only observes',
      resource('crane', { iccid: '8981040000000000002', managementPolicy: 'Observe' }),
    ],
  ])('is known under another name by %s', async (_, crane) => {
    expect(await present(namespaceWith([crane]), manifests, [])).toEqual({
      same: [],
      others: [{ manifest: 'Sim truck-2', by: 'Sim crane' }],
    });
  });

  it('is known under another name also where its own name is that of something else', async () => {
    const there = namespaceWith([
      resource('truck-2', { iccid: '8981040000000009999' }),
      resource('truck-2b', { iccid: '8981040000000000002' }),
      resource('truck-3', { iccid: '8981040000000000003' }),
      resource('truck-3b', { iccid: '8981040000000000003' }),
    ]);
    expect(await present(there, manifests, [])).toEqual({
      same: ['Sim truck-2', 'Sim truck-3'],
      others: [{ manifest: 'Sim truck-2', by: 'Sim truck-2b' }],
    });
  });

  it('is in the way of nothing that the operator has let go of', async () => {
    const metadata = { name: 'crane', annotations: { 'edgeline.dev/abandon': 'true' } };
    const there = namespaceWith([{ metadata, spec: { iccid: '8981040000000000002' } }]);
    expect(await present(there, manifests, [])).toEqual({ same: [], others: [] });
  });

  const depot: Manifest = { kind: 'MobileGateway', name: 'depot', spec: { zone: 'is1b', resourceID: '5' }, from: [] };
  const www: Manifest = { kind: 'WebAccelSite', name: 'www', spec: { siteID: '7' }, from: [] };
  const tls = (site: object): Manifest =>
    JSON.parse(
      JSON.stringify({ kind: 'SiteCertificate', name: 'www', spec: { ...site, secretRef: { name: 'tls' } }, from: [] }),
    );
  it.each<[Manifest['kind'], readonly Manifest[], object]>([
    ['MobileGateway', [depot], resource('shop', { zone: 'is1b' }, { status: { id: '5' } })],
    ['WebAccelSite', [www], resource('shop', { domain: 'www.example.jp' })],
    ['WebAccelSite', [www], resource('shop', { domain: 'WWW.example.jp.' })],
    ['WebAccelSite', [www], resource('shop', { domain: 'x.example.jp' }, { status: { id: '7' } })],
    ['SiteCertificate', [tls({ siteID: '7' })], resource('shop', { siteID: '7' })],
    ['SiteCertificate', [www, tls({ siteRef: { name: 'www' } })], resource('shop', {}, { status: { siteID: '7' } })],
  ])('is known under another name, as a %s: %#', async (kind, wanted, there) => {
    const sites = [{ id: '7', domain: 'www.example.jp', asciiDomain: 'www.example.jp', subdomain: '' }];
    expect(await present(namespaceWith([there], kind), wanted, sites)).toEqual({
      same: [],
      others: [{ manifest: `${kind} ${kind === 'MobileGateway' ? 'depot' : 'www'}`, by: `${kind} shop` }],
    });
  });

  it('is not known to whoever may not look', async () => {
    const list = () => Promise.reject(new ClusterError('you may not list sims', 'Ask.'));
    expect(await present({ list }, manifests, [])).toBeUndefined();
  });

  it.each([
    [
      { same: ['Sim truck-1'], others: [] },
      '\nManaged in namespace fleet already: Sim truck-1.\nApplied over that, a manifest also un-sets at the service what it does not have. Look first: edgeline plan -f, with the manifests.\n',
    ],
    [
      { same: [], others: [{ manifest: 'Sim truck-2', by: 'Sim crane' }] },
      '\nManaged in namespace fleet already, by a resource of another name: Sim truck-2 by Sim crane.\nGive these manifests the names of those resources, or do not apply them: beside those they would only say AlreadyManaged. To delete one of those may delete at the service what it manages.\n',
    ],
    [undefined, '\nIt could not be seen what namespace fleet has of this already: look before you apply.\n'],
    [{ same: [], others: [] }, 'From x: Sim 3.\n'],
  ])('is told: %j', (present, told) => {
    const report = reportOf(
      { manifests, secrets: [], findings: [] },
      { from: 'x', requests: { sent: 0, claimed: 0 }, secretsFile: undefined, namespace: 'fleet', present },
    );
    expect(report.endsWith(told)).toBe(true);
  });
});
