import { systemClock } from '../../src/clock.ts';
import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import type { AccountNow, PageSource, Role } from '../../src/operator/page-source.ts';
import type { RecentChange } from '../../src/operator/recent-changes.ts';
import { changeLineOf } from '../../src/reconcile/change-line.ts';
import { createLogger } from '../../src/telemetry/log.ts';

/** An object with what the page looks at. */
export interface PageObject extends KubernetesObject {
  readonly spec?: Record<string, unknown>;
  readonly status?: Record<string, unknown>;
}

/** When the objects of {@link fleetOf} became what they are. */
export const SINCE = '2026-11-22T11:55:00Z';

/** What a replica would have in memory. */
export function pageSourceOf(
  objects: readonly PageObject[],
  more: Partial<PageSource> & { readonly as?: Role } = {},
): PageSource {
  const byKind = Map.groupBy(objects, ({ kind }) => kind);
  const { as = { state: 'Leading', since: Date.parse('2026-11-22T10:00:00Z') }, ...given } = more;
  return {
    clock: systemClock,
    log: createLogger({ level: 'silent', format: 'json' }),
    version: '0.0.0-test',
    instance: 'edgeline-operator-7c9',
    listen: '127.0.0.1:0',
    namespaces: undefined,
    role: () => as,
    watchedAt: () => systemClock.now() - 3000,
    list: (kind) => byKind.get(kind) ?? [],
    get: (kind, namespace, name) =>
      byKind.get(kind)?.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
    accountOf: ({ metadata }) => `CloudAccount/${metadata.namespace}/default`,
    account: (key) => (key.startsWith('CloudAccount/') ? accountNow() : undefined),
    session: () => undefined,
    queue: () => ({ waiting: 3, active: 2 }),
    changes: () => [],
    rivalOf: () => undefined,
    reviewer() {
      throw new Error('nobody is asked');
    },
    ...given,
  };
}

function accountNow(): AccountNow {
  const now = systemClock.now();
  const idle = { upload: 0, write: 0, verify: 0, list: 0, audit: 0, usage: 0 };
  return {
    rate: { allowed: 4.5, limit: 10, closedUntil: undefined },
    budget: { used: 312, limit: 500, reads: 450, changes: 480, resetsAt: now + 20 * 60_000 },
    waiting: { cloud: { ...idle, write: 4, list: 1 }, webaccel: idle },
    refused: false,
    polls: [
      { of: 'SIMs', takenAt: now - 12_000, fails: false },
      { of: 'sites', takenAt: now - 140_000, fails: true },
    ],
  };
}

function objectOf(
  kind: string,
  name: string,
  spec: Record<string, unknown>,
  status: Record<string, unknown>,
  condition: { readonly status: 'True' | 'False'; readonly reason: string; readonly message: string },
  namespace = 'fleet',
): PageObject {
  const shown = { ...condition, observedGeneration: 1, lastTransitionTime: SINCE };
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind,
    metadata: {
      name,
      namespace,
      uid: `${kind}-${namespace}-${name}`,
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '2026-11-22T09:00:00Z',
    },
    spec,
    status: {
      observedGeneration: 1,
      conditions: [
        { type: 'Ready', ...shown },
        { type: 'Synced', ...shown },
        ...(condition.status === 'False' ? [{ type: 'Reconciling', ...shown, status: 'True' }] : []),
      ],
      ...status,
    },
  };
}

const ready = (message: string) => ({ status: 'True', reason: 'Available', message }) as const;

/** A Sim that is Ready, or for another reason is not. */
export function simOf(
  index: number,
  more: { readonly name?: string; readonly namespace?: string; readonly why?: string } = {},
) {
  const { name = `truck-${String(index).padStart(5, '0')}`, namespace, why } = more;
  return objectOf(
    'Sim',
    name,
    { iccid: String(8_981_040_000_000_000_000n + BigInt(index)), gatewayRef: { name: 'depot' } },
    { id: String(113_300_000_000 + index), ip: '10.0.0.17', sessionStatus: index % 7 === 0 ? 'DOWN' : 'UP' },
    why === undefined
      ? ready(`SIM ${113_300_000_000 + index} is at the service.`)
      : { status: 'False', reason: 'GatewayNotReady', message: why },
    namespace,
  );
}

/** An account, a gateway, two sites with certificates, and so many Sims, of which one in a hundred waits. */
export function fleetOf(sims: number): PageObject[] {
  const certificate = (name: string, notAfter: string) =>
    objectOf(
      'SiteCertificate',
      name,
      { siteRef: { name }, secretRef: { name: `${name}-tls` } },
      { current: { notAfter } },
      ready('The certificate is on the site.'),
    );
  const site = (name: string) =>
    objectOf(
      'WebAccelSite',
      name,
      { domain: `${name}.example.jp` },
      { status: 'enabled' },
      ready('The site is enabled.'),
    );
  return [
    objectOf(
      'CloudAccount',
      'default',
      { baseURL: 'https://api.example.jp' },
      {},
      ready('The service accepts the credentials.'),
    ),
    objectOf(
      'MobileGateway',
      'depot',
      { zone: 'is1b' },
      { instanceStatus: 'up', sims: { up: 3 } },
      ready('The gateway is up.'),
    ),
    ...['shop', 'media'].map(site),
    certificate('shop', '2027-02-21T06:26:30Z'),
    certificate('media', '2026-11-25T06:26:30Z'),
    ...Array.from({ length: sims }, (_, index) =>
      simOf(index, index % 100 === 99 ? { why: 'The MobileGateway depot is not ready yet.' } : {}),
    ),
  ];
}

/** A change of a Sim's address, made at that moment. */
export function changeAt(at: number, name: string, after: string): RecentChange {
  const object = simOf(0, { name });
  const line = changeLineOf(
    { object: { ...object, spec: {}, status: {} }, accountRef: { kind: 'CloudAccount', name: 'default' }, id: '113' },
    {
      step: 'setIP',
      changes: [{ field: 'ipAddress', before: '10.0.0.16', after }],
      cause: 'SpecChanged',
      afterUnclear: false,
    },
    { outcome: 'held-back', code: 'Paused' },
  );
  return { at, line };
}

/** What somebody may write where they may write anything: names of objects are checked by the apiserver, the rest is not. */
export const hostileTexts: readonly string[] = [
  '<script>document.title="owned"</script>',
  '"><img src=x onerror="document.title=\'owned\'">',
  '</td></table><h1>owned</h1>',
  'evil\u202Egnp.exe',
  '\u2066\u200F\u061C left to right',
  '長い名前'.repeat(2560),
  'W'.repeat(10_240),
  'javascript:alert(1)',
  '\u0000\u001B[31mred',
];

/** A fleet of hostile texts, in all places that a tenant writes. */
export function hostileFleet(): PageObject[] {
  return hostileTexts.flatMap((text, index) => {
    const why = { status: 'False', reason: text, message: text } as const;
    return [
      objectOf(
        'Sim',
        `h${index}`,
        { iccid: text, gatewayRef: { name: text } },
        {
          ip: text,
          sessionStatus: text,
          applied: { displayName: text },
          drift: [{ field: text, desired: text, observed: text }],
          plan: { hash: text, calls: [{ step: text, fields: [{ field: text, before: text, after: text }] }] },
          conditions: [
            { type: 'Ready', ...why, lastTransitionTime: text, observedGeneration: 1 },
            { type: 'Synced', ...why, reason: 'ApprovalPending', lastTransitionTime: SINCE, observedGeneration: 1 },
          ],
        },
        why,
      ),
      objectOf('WebAccelSite', `h${index}`, { domain: text }, { domain: text, status: text }, why),
      objectOf('SiteCertificate', `h${index}`, { siteRef: { name: text } }, { current: { notAfter: text } }, why),
      objectOf('CloudAccount', `h${index}`, { baseURL: text }, {}, why),
    ];
  });
}
