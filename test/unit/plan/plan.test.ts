import { describe, expect, it } from 'vitest';
import type { ObjectJson } from '../../../src/plan/objects.ts';
import { emptyPicture } from '../../../src/plan/picture/picture.ts';
import { type Answers, type PlanInput, planOf, type Sources } from '../../../src/plan/plan.ts';
import { exitCodeOf } from '../../../src/plan/report.ts';
import type { Plan } from '../../../src/plan/result.ts';

const NOW = Date.UTC(2026, 5, 1);
const API = 'edgeline.dev/v1alpha1';

const object = (kind: string, name: string, spec: object, more: object = {}): ObjectJson => ({
  apiVersion: API,
  kind,
  metadata: { name, namespace: 'fleet', uid: `uid-${name}`, generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' },
  spec,
  ...more,
});
const secret = (name: string, data: Record<string, string>): ObjectJson => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'fleet' },
  data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')])),
});
const account = object('CloudAccount', 'default', {
  baseURL: 'https://api.example.jp',
  credentialsSecretRef: { name: 'credentials' },
});
const credentials = secret('credentials', { accessToken: 'token', accessTokenSecret: 'secret' });
const namespace: ObjectJson = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fleet' } };
const conditions = ['Ready', 'Synced'].map((type) => ({
  type,
  status: 'True',
  reason: 'Available',
  message: 'Well.',
  observedGeneration: 1,
  lastTransitionTime: '2026-01-01T00:00:00Z',
}));

const siteSpec = { domain: 'www.example.jp', defaultCacheTTL: 60, oneTimeURLSecretRef: { name: 'once', key: 'value' } };
const site = object('WebAccelSite', 'www', siteSpec, {
  status: {
    id: '113300000301',
    uid: 'uid-www',
    siteID: '113300000301',
    domain: 'www.example.jp',
    asciiDomain: 'www.example.jp',
    subdomain: 'x.user.webaccel.example.jp',
    status: 'enabled',
    ownership: 'Adopted',
    accountRef: { kind: 'CloudAccount', name: 'default' },
    observedGeneration: 1,
    applied: { defaultCacheTTL: 60, oneTimeURLSecret: 'keyed-digest' },
    settings: {
      displayName: 'www',
      requestProtocol: 'HTTPAndHTTPS',
      originType: 'WebServer',
      defaultCacheTTL: 60,
      vary: false,
    },
    conditions,
  },
});

/** A plan for which nobody asks the service, so that it is made of the statuses. */
function plan(
  input: Partial<PlanInput> & Pick<PlanInput, 'manifests'>,
  secrets: readonly ObjectJson[],
  answers: Partial<Answers> = {},
): Promise<Plan> {
  const read: Sources['secrets'] = async (names) => {
    const found = secrets.filter((one) => names.some(({ name }) => JSON.stringify(one).includes(`"name":"${name}"`)));
    const forbidden = names.filter(
      ({ name }) => !found.some((one) => JSON.stringify(one).includes(`"name":"${name}"`)),
    );
    return { found, forbidden };
  };
  return planOf(
    { cluster: [namespace, account, site], namespace: 'fleet', prune: new Set(), now: NOW, ...input },
    { secrets: read, ask: async () => ({ answers: new Map(), unknown: new Map(), notes: [], ...answers }) },
  );
}

const manifest = (kind: string, name: string, spec: object) => ({
  source: `${name}.yaml`,
  object: { apiVersion: API, kind, metadata: { name, namespace: 'fleet' }, spec },
});

describe('a plan of what is in the cluster already', () => {
  it('is made of its status alone', async () => {
    const changed = manifest('WebAccelSite', 'www', {
      ...siteSpec,
      defaultCacheTTL: 3600,
      oneTimeURLSecretRef: undefined,
    });
    const { calls, unsettled } = await plan({ manifests: [changed] }, [credentials, secret('once', { value: 'x' })]);
    expect(unsettled).toEqual([]);
    expect(calls).toMatchObject([
      {
        method: 'PUT',
        path: '/site/113300000301',
        account: 'CloudAccount fleet/default',
        resource: { kind: 'WebAccelSite', namespace: 'fleet', name: 'www' },
        isRepeated: false,
        isUncertain: false,
      },
    ]);
    expect(calls[0]?.fields).toContainEqual({ field: 'defaultCacheTTL', before: '60 s', after: '3600 s' });
  });

  it('tells what a person has to approve, and what would be sent then', async () => {
    const changed = manifest('WebAccelSite', 'www', {
      ...siteSpec,
      defaultCacheTTL: 3600,
      oneTimeURLSecretRef: undefined,
      managementPolicy: 'Approve',
    });
    const made = await plan({ manifests: [changed] }, [credentials, secret('once', { value: 'x' })]);
    const { calls, unsettled, unapproved } = made;
    expect({ unsettled, unapproved }).toEqual({ unsettled: [], unapproved: ['WebAccelSite fleet/www'] });
    expect(calls).toMatchObject([{ method: 'PUT', path: '/site/113300000301' }]);
    // Minutes of the shadow, after which it approves, are none of the plan's.
    expect(calls[0]?.after).toBeLessThan(60);
  });

  const PAUSED = { 'edgeline.dev/paused': 'true' };
  const pausing = (one: ObjectJson) => ({ ...one, metadata: { ...Object(one['metadata']), annotations: PAUSED } });
  it.each([
    ['nothing', [namespace, account, site], []],
    ['the account', [namespace, pausing(account), site], ['CloudAccount fleet/default']],
    ['the namespace', [pausing(namespace), account, site], ['Namespace fleet']],
    ['the resource', [namespace, account, pausing(site)], ['WebAccelSite fleet/www']],
    [
      'all',
      [namespace, account, site].map(pausing),
      ['WebAccelSite fleet/www', 'CloudAccount fleet/default', 'Namespace fleet'],
    ],
  ])('shows what would be sent when nobody pauses it any more, with %s paused', async (_what, cluster, paused) => {
    const changed = manifest('WebAccelSite', 'www', { ...siteSpec, defaultCacheTTL: 3600 });
    const made = await plan({ manifests: [changed], cluster }, [credentials, secret('once', { value: 'x' })]);
    expect({ paused: made.paused, unsettled: made.unsettled, code: exitCodeOf(made) }).toEqual({
      paused,
      unsettled: [],
      code: 2,
    });
    expect(made.calls).toMatchObject([{ method: 'PUT', path: '/site/113300000301' }]);
    const same = await plan({ manifests: [manifest('WebAccelSite', 'www', siteSpec)], cluster }, [credentials]);
    expect({ calls: same.calls, paused: same.paused, code: exitCodeOf(same) }).toEqual({
      calls: [],
      paused: [],
      code: 0,
    });
  });

  it('does not pretend to know a Secret that may not be read, and says so', async () => {
    const changed = manifest('WebAccelSite', 'www', { ...siteSpec, defaultCacheTTL: 3600 });
    const { calls, notLookedAt, isComplete } = await plan({ manifests: [changed] }, [credentials]);
    expect(isComplete).toBe(false);
    expect(calls).toMatchObject([{ isUncertain: false }]);
    expect(calls[0]?.fields).toEqual([
      { field: 'defaultCacheTTL', before: '60 s', after: '3600 s' },
      { field: 'oneTimeURLSecret', before: '(secret)', after: '(not known)' },
    ]);
    expect(notLookedAt).toEqual([expect.stringContaining('You may not read the Secret fleet/once')]);
    expect(JSON.stringify(calls)).not.toContain('value-of-a-Secret');
  });

  it('cannot tell whether a secret is another where the account’s own secret may not be read', async () => {
    const changed = manifest('WebAccelSite', 'www', { ...siteSpec, vary: true });
    const { calls } = await plan({ manifests: [changed] }, [secret('once', { value: 'x' })]);
    expect(calls.length).toBeGreaterThan(0);
    const told = calls.flatMap(({ fields }) => fields).filter(({ field }) => field === 'oneTimeURLSecret');
    expect(told.map(({ after }) => after)).toEqual(told.map(() => '(not known)'));
  });

  it('leaves out a certificate whose Secret may not be read, and says so', async () => {
    const certificate = manifest('SiteCertificate', 'www', { siteRef: { name: 'www' }, secretRef: { name: 'tls' } });
    const { calls, notLookedAt, isComplete } = await plan({ manifests: [certificate] }, [credentials]);
    expect({ calls, isComplete }).toEqual({ calls: [], isComplete: false });
    expect(notLookedAt.join(' ')).toContain('SiteCertificate fleet/www: you may not read its Secret tls');
  });

  it('is empty where nothing changes, though Secrets are unknown', async () => {
    const { calls, isComplete, resources } = await plan({ manifests: [manifest('WebAccelSite', 'www', siteSpec)] }, []);
    expect({ calls, isComplete, resources }).toEqual({
      calls: [],
      isComplete: true,
      resources: { named: 1, changed: 0, pruned: 0 },
    });
  });
});

describe('a plan of what is new', () => {
  const truck = manifest('Sim', 'truck', {
    iccid: '8981040000000000001',
    activated: true,
    passCodeSecretRef: { name: 'codes', key: 'truck' },
  });

  it('makes what the account does not show, and names what has no ID yet', async () => {
    const { calls } = await plan({ manifests: [truck] }, [credentials, secret('codes', { truck: 'pass-code' })]);
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /commonserviceitem',
      'PUT /commonserviceitem/(new Sim fleet/truck)/sim/activate',
    ]);
    expect(JSON.stringify(calls)).not.toContain('pass-code');
  });

  it('takes over what the account shows', async () => {
    const picture = emptyPicture();
    picture.sims.set('113300000017', {
      id: '113300000017',
      name: 'truck',
      iccid: '8981040000000000001',
      availability: 'available',
      tags: [],
      status: {
        iccid: '8981040000000000001',
        imsi: [],
        imeiLock: false,
        registered: false,
        activated: true,
        resourceID: '113300000017',
      },
    });
    const listed = { sims: true, sites: false, zones: new Set<string>() };
    const answers = new Map([['cloudaccounts/fleet/default', { picture, listed }]]);
    const { calls, unsettled } = await plan({ manifests: [truck] }, [credentials, secret('codes', { truck: 'x' })], {
      answers,
    });
    expect({ calls, unsettled }).toEqual({ calls: [], unsettled: [] });
  });

  it('is said to be without an account where there is none', async () => {
    const { calls, unsettled } = await plan({ manifests: [truck], cluster: [namespace] }, []);
    expect(calls).toEqual([]);
    expect(unsettled).toMatchObject([{ kind: 'Sim', name: 'truck', reason: 'AccountNotFound' }]);
  });

  it('is refused in a namespace that is not there, as the apiserver would', async () => {
    const { refused } = await plan({ manifests: [truck], cluster: [] }, []);
    expect(refused).toEqual([
      { source: 'truck.yaml', what: 'Sim fleet/truck', message: 'namespaces "fleet" not found' },
    ]);
  });

  it.each(['fleet/sims/truck', '../fleet', '__proto__'])('is refused in a namespace named %s', async (place) => {
    const object = { ...truck.object, metadata: { name: 'truck/status', namespace: place } };
    const { refused } = await plan({ manifests: [{ ...truck, object }] }, []);
    expect(refused).toEqual([
      { source: 'truck.yaml', what: `Sim ${place}/truck/status`, message: `namespaces "${place}" not found` },
    ]);
  });

  it('is refused where it is there twice, or is of a kind or version that is not there', async () => {
    const { object } = truck;
    const manifests = [
      truck,
      { source: 'again.yaml', object },
      { source: 'kind.yaml', object: { ...object, kind: 'SIM' } },
      { source: 'version.yaml', object: { ...object, apiVersion: 'edgeline.dev/v2' } },
      { source: 'other.yaml', object: { ...object, apiVersion: 'v1', kind: 'ConfigMap' } },
    ];
    const { refused, notLookedAt } = await plan({ manifests }, [credentials, secret('codes', { truck: 'x' })]);
    const known =
      'there are ClusterCloudAccount, CloudAccount, MobileGateway, Sim, WebAccelSite, SiteCertificate in edgeline.dev/v1alpha1';
    expect({ refused, notLookedAt }).toEqual({
      refused: [
        {
          source: 'kind.yaml',
          what: 'SIM truck',
          message: `no matches for kind "SIM" in version "edgeline.dev/v1alpha1": ${known}`,
        },
        {
          source: 'version.yaml',
          what: 'Sim truck',
          message: `no matches for kind "Sim" in version "edgeline.dev/v2": ${known}`,
        },
        { source: 'again.yaml', what: 'Sim fleet/truck', message: 'it is in truck.yaml, too: keep one of them' },
      ],
      notLookedAt: ['Manifests of other kinds: 1 ConfigMap.'],
    });
  });

  describe.each<[string, object]>([
    ['on the side of the client', { by: 'client' }],
    ['on the side of the server', { by: 'server', manager: 'kubectl', force: false }],
  ])('applied %s', (_, how) => {
    const applying = JSON.parse(JSON.stringify(how));
    const metadata = { name: 'truck', namespace: 'fleet' };
    const iccid = '8981040000000000001';

    // As kube-apiserver 1.34 says it to kubectl 1.34, but for what is in parentheses.
    it.each<[string, object, string]>([
      [
        'Sim',
        { metadata: { ...metadata, nameSpace: 'x' }, spec: { icid: iccid, gatewayref: { nam: 'x' } }, specs: {} },
        'unknown field "metadata.nameSpace" (did you mean metadata.namespace?), unknown field "spec.gatewayref" (did you mean spec.gatewayRef?), unknown field "spec.icid" (did you mean spec.iccid?), unknown field "specs" (did you mean spec?)',
      ],
      ['Sim', { metadata, spec: { iccid }, status: { wheels: 4 } }, 'unknown field "status.wheels"'],
      [
        'MobileGateway',
        { metadata, spec: { staticRoutes: [{ prefix: '10.0.0.0/8', hopp: '10.0.0.1' }] } },
        'unknown field "spec.staticRoutes[0].hopp"',
      ],
      [
        'Secret',
        { apiVersion: 'v1', metadata, stringdata: { a: 'b' } },
        'unknown field "stringdata" (did you mean stringData?)',
      ],
    ])('a %s with fields that are not known is refused', async (kind, rest, fields) => {
      const object: ObjectJson = { apiVersion: API, kind, ...rest };
      const version = object['apiVersion'] === 'v1' ? 'v1' : 'v1alpha1';
      const message = `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${fields}`;
      const there = object.kind === 'Sim' ? [{ ...object, spec: { iccid }, metadata: { ...metadata, uid: 'x' } }] : [];
      for (const cluster of [[namespace], [namespace, ...there]]) {
        const { refused } = await plan({ manifests: [{ source: 'a.yaml', object }], cluster, applying }, []);
        expect(refused).toEqual([{ source: 'a.yaml', what: `${kind} fleet/truck`, message }]);
      }
    });

    it('what is read from a cluster is not refused', async () => {
      const { refused } = await plan(
        {
          manifests: [
            {
              source: 'a.yaml',
              object: { ...site, metadata: { ...metadata, managedFields: [{}], ownerReferences: [] } },
            },
            { source: 'b.yaml', object: { ...namespace, status: { phase: 'Active', conditions: [] } } },
            { source: 'c.yaml', object: { ...secret('codes', { truck: 'x' }), type: 'Opaque', immutable: false } },
          ],
          applying,
        },
        [credentials, secret('once', { value: 'x' })],
      );
      expect(refused).toEqual([]);
    });
  });

  it('is refused for a field that is not known and null only on the side of the server', async () => {
    const manifests = [{ ...truck, object: { ...truck.object, spec: { iccid: '8981040000000000001', icid: null } } }];
    expect((await plan({ manifests }, [])).refused).toEqual([]);
    const applying = { by: 'server', manager: 'kubectl', force: false } as const;
    expect((await plan({ manifests, applying }, [])).refused).toHaveLength(1);
  });

  it('tells what chance decides', async () => {
    const other = { ...truck, object: { ...truck.object, metadata: { name: 'crane', namespace: 'fleet' } } };
    const { undecided } = await plan({ manifests: [truck, other] }, [credentials, secret('codes', { truck: 'x' })]);
    expect(undecided).toEqual([
      'Sim fleet/crane and Sim fleet/truck ask for the same at once: whichever is first gets it.',
    ]);
  });
});
