import { expect, it } from 'vitest';
import { NotFoundError } from '../../../src/cloud/errors.ts';
import type { CallOptions } from '../../../src/cloud/limiter/lanes.ts';
import { createLimiter } from '../../../src/cloud/limiter/limiter.ts';
import { createListInformer } from '../../../src/cloud/list/informer.ts';
import type { ListChange } from '../../../src/cloud/list/snapshot.ts';
import type { CertificateUpload } from '../../../src/cloud/site/api.ts';
import type { Certificate, Site, SiteDetail, SiteSettings } from '../../../src/cloud/site/types.ts';
import { createChanges } from '../../../src/kinds/cloud-account/changes.ts';
import type { ListListener } from '../../../src/kinds/cloud-account/registry.ts';
import { createAccountResolver } from '../../../src/kinds/cloud-account/resolver.ts';
import type { SiteCertificate } from '../../../src/kinds/site-certificate/schema.ts';
import type { WebAccelSite } from '../../../src/kinds/web-accel-site/schema.ts';
import type { Informer } from '../../../src/kubernetes/informer.ts';
import { apply } from '../../../src/kubernetes/merge-patch.ts';
import type { KubernetesObject } from '../../../src/kubernetes/objects.ts';
import type { Change } from '../../../src/kubernetes/store.ts';
import { wireCertificates } from '../../../src/operator/certificates.ts';
import { lineOf } from '../../../src/operator/kinds.ts';
import { createQueues } from '../../../src/operator/queues.ts';
import { wireSites } from '../../../src/operator/sites.ts';
import type { Wiring } from '../../../src/operator/wiring.ts';
import { runWorkers } from '../../../src/reconcile/controller.ts';
import { keyOf } from '../../../src/reconcile/reconciler.ts';
import { SecretValue } from '../../../src/reconcile/secret-value.ts';
import { createLogger } from '../../../src/telemetry/log.ts';
import { createIntermediate, createRoot, issue } from '../../support/certificates.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { partial } from '../../support/partial.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SITES = 200;
const LIMIT = 500;

/** The objects of one kind: what an apiserver stores and an informer shows, without the network between. */
function createObjects<T extends KubernetesObject>() {
  const objects = new Map<string, T>();
  const handlers: ((change: Change<T>) => void)[] = [];
  let version = 0;
  function put(object: T): T {
    const path = `${object.metadata.namespace}/${object.metadata.name}`;
    const old = objects.get(path);
    const next = structuredClone({ ...object, metadata: { ...object.metadata, resourceVersion: String(++version) } });
    objects.set(path, next);
    for (const handler of handlers)
      handler(partial({ type: old ? 'modified' : 'added', ...(old && { old }), new: next }));
    return next;
  }
  const informer = partial<Informer<T>>({
    get: (namespace: string | undefined, name: string) => objects.get(`${namespace}/${name}`),
    list: () => [...objects.values()],
    byNamespace: () => [...objects.values()],
    put: () => undefined,
    onChange: (handler: (change: Change<T>) => void) => void handlers.push(handler),
  });
  return { informer, put, get: (name: string) => objects.get(`web/${name}`) };
}

it('a day of 200 sites and certificates stays within 500 requests an hour, and finds what somebody changed', {
  timeout: 120_000,
}, async () => {
  const clock = new ManualClock(Date.now());
  let seed = 7;
  const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
  const stopping = new AbortController();
  const issued = await issue(await createIntermediate(await createRoot()), ['*.example.jp']);

  // The service.
  const sent: { at: number; what: string }[] = [];
  const details = new Map<string, SiteDetail>();
  const certificates = new Map<string, { current?: Certificate; old: Certificate[] }>();
  const limiter = createLimiter({
    clock,
    limits: { webAccelRequestsPerHour: LIMIT, cloudRequestsPerSecond: 5 },
    onRecordWanted: () => queueMicrotask(() => limiter.record().confirm()),
  });
  async function call<T>(what: string, { lane, signal, turn, onWait }: CallOptions, answer: () => T): Promise<T> {
    const over = onWait?.();
    const permit = await limiter.acquire('webaccel', lane, signal, turn);
    over?.();
    sent.push({ at: clock.monotonic(), what });
    permit.sent();
    permit.release();
    return structuredClone(answer());
  }
  const detailOf = (id: string): SiteDetail => {
    const detail = details.get(id);
    if (!detail) throw new NotFoundError('no such site', '', { route: 'GET /site/:id' });
    return detail;
  };
  const store = (id: string, upload: CertificateUpload) => {
    const before = certificates.get(id);
    const { fingerprint, notAfter } = issued;
    expect(upload.certificateChain).toBe(issued.chain);
    const current: Certificate = {
      id,
      issuer: {},
      subject: {},
      dnsNames: [],
      sha256Fingerprint: fingerprint,
      notAfter,
    };
    const next = { current, old: before?.current ? [before.current] : [] };
    certificates.set(id, next);
    details.set(id, { ...detailOf(id), hasCertificate: true, certificateNotAfter: notAfter });
    return next;
  };
  const sites = {
    list: (o: CallOptions) =>
      call('list', o, () => ({ items: [...details.values()], total: SITES, from: 0, count: SITES })),
    read: (id: string, o: CallOptions) => call('detail', o, () => detailOf(id)),
    acl: (_id: string, o: CallOptions) => call('acl', o, () => []),
    update: (id: string, settings: SiteSettings, o: CallOptions) =>
      call('update', o, () => {
        details.set(id, { ...detailOf(id), ...partial<Partial<SiteDetail>>(settings) });
        return detailOf(id);
      }),
    certificate: (id: string, _q: object, o: CallOptions) =>
      call('certificate', o, () => certificates.get(id) ?? { old: [] }),
    postCertificate: (id: string, upload: CertificateUpload, o: CallOptions) =>
      call('upload', o, () => store(id, upload)),
    putCertificate: (id: string, upload: CertificateUpload, o: CallOptions) =>
      call('upload', o, () => store(id, upload)),
    monthlyUsage: (_q: object, o: CallOptions) => call('usage', o, () => ({ year: 2026, month: 1, usages: [] })),
  };
  for (let n = 0; n < SITES; n++) {
    const domain = `${n}.example.jp`;
    details.set(`${n}`, {
      id: `${n}`,
      name: 'old',
      domainType: 'own_domain',
      domain,
      asciiDomain: domain,
      subdomain: `${n}.user.example.jp`,
      status: 'enabled',
      hasCertificate: false,
      hasOldCertificate: false,
      normalizeAE: 1,
      corsRules: [],
      hasOneTimeURLSecret: false,
      hasOriginGuardToken: false,
      hasNextOriginGuardToken: false,
    });
  }

  // The operator, as far as sites and certificates go.
  const siteObjects = createObjects<WebAccelSite>();
  const certificateObjects = createObjects<SiteCertificate>();
  const secretObjects = createObjects<KubernetesObject>();
  const queues = createQueues({
    clock,
    random,
    lineOf,
    priorityOf: (_key, asked) => asked,
    accountOf: () => 'CloudAccount/web/default',
    observe: () => ({}),
  });
  const listeners: ((identity: string, change: ListChange<Site>) => void)[] = [];
  const list = createListInformer<Site>({
    fetchPage: (_from, _count, call) => sites.list(call),
    idOf: (site) => site.id,
    equal: (a, b) => JSON.stringify(a) === JSON.stringify(b),
    clock,
    random,
    intervalSeconds: 300,
    pageSize: 1000,
    minimumGapMilliseconds: 2000,
    unpaged: true,
  });
  list.onChange((change) => listeners.forEach((listener) => listener('account', change)));
  const session = {
    identity: 'account',
    client: { sites },
    dialect: 'Documented',
    sites: () => (list.start(), list),
    digest: (value: string) => value,
    changes: createChanges(() => clock.monotonic()),
    verified: true,
    circuit: { isOpen: () => false },
    limiter,
    hourFor: limiter.hourFor,
  };
  const registry = partial<Wiring['registry']>({
    get: () => session,
    onSite: (listener: (typeof listeners)[number]) => void listeners.push(listener),
    onList: ({ sites: listener }: ListListener) => list.onList(({ items }) => listener?.('account', items)),
    accountsOf: () => ['CloudAccount/web/default'],
  });
  const account = { metadata: { name: 'default', namespace: 'web' }, kind: 'CloudAccount', spec: {} };
  const accountSources = {
    accounts: partial<Informer<never>>({ get: () => account }),
    clusterAccounts: undefined,
    namespaces: undefined,
  };
  const wiring = partial<Wiring>({
    earlierActedUntil: () => undefined,
    informers: {
      of: { WebAccelSite: siteObjects.informer, SiteCertificate: certificateObjects.informer },
      secrets: secretObjects.informer,
      namespaces: undefined,
    },
    engine: {
      client: {
        async mergePatch(resource: { kind: string }, _namespace: string, name: string, patch: object) {
          const objects: ReturnType<typeof createObjects> = partial(
            resource.kind === 'WebAccelSite' ? siteObjects : certificateObjects,
          );
          const before = objects.get(name);
          return objects.put(
            partial({ ...partial<object>(partial(apply(partial(before ?? {}), partial(patch)) ?? {})) }),
          );
        },
      },
      clock,
      time: { latest: () => clock.now(), earliest: () => clock.now() },
      random,
      namespace: () => undefined,
      holds: () => true,
      accounts: createAccountResolver(accountSources, registry, { ofUser: () => undefined }),
      events: { record: () => undefined },
      log: createLogger({ level: 'silent', format: 'json' }),
      queue: queues,
      secretVersion: () => '1',
      onDrift: () => undefined,
      onApproval: () => undefined,
      settleMilliseconds: 5000,
      momentMilliseconds: 3000,
      resyncMilliseconds: 4 * HOUR,
    },
    registry,
    losses: { access: () => undefined, doubt: () => undefined, accepts: () => false },
    users: { of: () => new Map(), accountOf: () => 'CloudAccount/web/default' },
    secrets: {
      read: async () => ({
        type: 'kubernetes.io/tls',
        resourceVersion: '1',
        get: (key: string) => new SecretValue(key === 'tls.crt' ? issued.chain : issued.key),
      }),
    },
    metrics: { ask: () => undefined, certificateUploaded: () => undefined },
    resourceMetrics: 'none',
    clock,
    random,
    sitePollMilliseconds: 300_000,
    detailPace: 1,
    enqueue: queues.add,
    enqueueAfter: queues.addAfter,
  });
  const kinds = [wireSites(wiring), wireCertificates(wiring)];
  const reconcilers = new Map(kinds.map(({ reconciler }) => [reconciler.kind, reconciler] as const));
  for (const queue of queues.all) {
    const metrics = { started: () => undefined, finished: () => undefined };
    const log = createLogger({ level: 'silent', format: 'json' });
    void runWorkers({ queue, reconcilers, workers: 20, clock, log, metrics, signal: stopping.signal });
  }
  const create = (kind: string, n: number, spec: object) =>
    partial<never>({
      apiVersion: 'edgeline.dev/v1alpha1',
      kind,
      metadata: {
        name: `${n}`,
        namespace: 'web',
        uid: `${kind}-${n}`,
        generation: 1,
        creationTimestamp: new Date(clock.now()).toISOString(),
      },
      spec,
    });
  for (let n = 0; n < SITES; n++) {
    const spec = { domain: `${n}.example.jp`, displayName: `Site ${n}`, vary: true, defaultCacheTTL: 60 };
    siteObjects.put(create('WebAccelSite', n, spec));
    certificateObjects.put(create('SiteCertificate', n, { siteRef: { name: `${n}` }, secretRef: { name: 'tls' } }));
    for (const kind of ['WebAccelSite', 'SiteCertificate'])
      queues.add(keyOf(kind, { namespace: 'web', name: `${n}` }), 'change');
  }

  // The day.
  const isDone = () =>
    [siteObjects, certificateObjects].every(({ informer }) =>
      informer
        .list()
        .every(({ status }) => status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True')),
    );
  async function minutes(count: number, until: () => boolean = () => false): Promise<number> {
    for (let minute = 1; minute <= count; minute++) {
      await clock.advance(MINUTE);
      for (const { audit } of kinds) audit();
      if (until()) return minute;
    }
    return Number.POSITIVE_INFINITY;
  }
  const ready = await minutes(4 * 60, isDone);
  const uploads = () => sent.filter(({ what }) => what === 'upload').length;
  expect({ ready: ready <= 150, uploads: uploads() }).toEqual({ ready: true, uploads: SITES });
  await minutes(2 * 60);

  details.set('7', { ...detailOf('7'), name: 'somebody' });
  const listed = await minutes(60, () => detailOf('7').name === 'Site 7');
  details.set('8', { ...detailOf('8'), varySupport: false });
  const unlisted = await minutes(13 * 60, () => detailOf('8').varySupport === true);
  await minutes(24 * 60 - Math.floor(clock.monotonic() / MINUTE));
  stopping.abort();
  queues.shutDown();
  list.stop();

  expect(listed).toBeLessThanOrEqual(6);
  // 400 requests read all settings once, of which 80 go in an hour.
  expect(unlisted).toBeLessThanOrEqual(5 * 60 + 6);
  expect(uploads()).toBe(SITES);
  const times = sent.map(({ at }) => at);
  let first = 0;
  let most = 0;
  for (const [index, at] of times.entries()) {
    while ((times[first] ?? at) < at - HOUR) first++;
    most = Math.max(most, index - first + 1);
  }
  expect(most).toBeLessThanOrEqual(LIMIT);
  const calm = times.filter((at) => at > clock.monotonic() - 12 * HOUR).length / 12;
  expect(calm).toBeLessThanOrEqual(140);
});
