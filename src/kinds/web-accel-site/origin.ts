import { mending, secretChange } from '../../reconcile/change.ts';
import { type Drift, isPending, wasApplied } from '../../reconcile/managed-object.ts';
import { driftOf } from './drift.ts';
import type { ObservedSite, SiteFacts } from './facts.ts';
import { loopWarnings } from './loop.ts';
import type { SiteSpec } from './schema.ts';
import type { ObservedSettings, SiteApplied } from './status-schema.ts';
import type { PlainSettings, SitePart } from './steps.ts';

type Origin = NonNullable<SiteSpec['origin']>;
const ORIGIN_FIELDS = [
  'originHost',
  'hostHeader',
  'originProtocol',
  'bucket',
  'endpoint',
  'region',
  'originCredentials',
  'documentIndex',
] as const satisfies readonly (keyof SiteApplied)[];
type OriginField = (typeof ORIGIN_FIELDS)[number];

/** One setting of an origin: what it is to be, what it is, and how it is sent. */
interface Setting {
  readonly field: OriginField;
  readonly path: string;
  readonly desired: string | boolean | undefined;
  /** What it goes back to when it is removed; undefined: it can't be. */
  readonly baseline?: string | boolean;
  readonly observed: string | boolean | undefined;
  readonly send: (value: string | boolean) => PlainSettings;
}

/**
 * The origin. Of the same type, only what differs is sent; a change of type carries all that type needs (`api.md`, rules
 * of PUT /site/:id). An origin that leaves the spec stays at the service: a site is never without one.
 */
export function planOrigin(facts: SiteFacts, site: ObservedSite): SitePart<OriginField> {
  const { origin } = facts.desired.spec;
  const { settings } = site;
  if (!settings) return { applied: origin ? appliedOrigin(facts.applied) : {}, undecided: ORIGIN_FIELDS };
  if (!origin) return { applied: {} };
  const part = origin.objectStorage
    ? planObjectStorage(facts, origin.objectStorage, settings)
    : origin.webServer
      ? planWebServer(facts, origin.webServer, settings)
      : {};
  return { ...part, warnings: loopWarnings(facts.desired.spec, site) };
}

/** The applied fields of an origin, kept as they are while it can't be worked on. */
function appliedOrigin(applied: SiteApplied): Pick<SiteApplied, OriginField> {
  const { originHost, hostHeader, originProtocol, bucket, endpoint, region, originCredentials, documentIndex } =
    applied;
  return { originHost, hostHeader, originProtocol, bucket, endpoint, region, originCredentials, documentIndex };
}

function planWebServer(
  facts: SiteFacts,
  wanted: NonNullable<Origin['webServer']>,
  settings: ObservedSettings,
): SitePart<OriginField> {
  const isOther = settings.originType !== 'WebServer';
  const observed = isOther ? undefined : settings.webServer;
  const parts: readonly Setting[] = [
    {
      field: 'originHost',
      path: 'origin.webServer.host',
      desired: wanted.host,
      observed: observed?.host,
      send: (value) => ({ origin: String(value) }),
    },
    {
      field: 'hostHeader',
      path: 'origin.webServer.hostHeader',
      desired: wanted.hostHeader,
      baseline: '',
      observed: observed?.hostHeader ?? '',
      send: (value) => ({ hostHeader: String(value) }),
    },
    {
      field: 'originProtocol',
      path: 'origin.webServer.protocol',
      desired: wanted.protocol,
      baseline: 'HTTP',
      observed: observed?.protocol,
      send: (value) => ({ originProtocol: value === 'HTTPS' ? 'https' : 'http' }),
    },
  ];
  const part = planSettings(facts, parts);
  if (!isOther) return part;
  // A new type begins with a protocol of its own; the one of the other type says nothing.
  const protocol = wanted.protocol === 'HTTPS' ? 'https' : 'http';
  return {
    ...part,
    settings: { originType: 0, originProtocol: protocol, ...part.settings },
    drift: [driftOf('origin', 'WebServer', settings.originType), ...(part.drift ?? [])],
  };
}

function planObjectStorage(
  facts: SiteFacts,
  wanted: NonNullable<Origin['objectStorage']>,
  settings: ObservedSettings,
): SitePart<OriginField> {
  const { credentials } = facts.desired;
  const isOther = settings.originType !== 'ObjectStorage';
  if (!credentials || 'hold' in credentials) {
    const applied = appliedOrigin(facts.applied);
    return { applied, ...(credentials && { hold: credentials.hold }), undecided: ORIGIN_FIELDS };
  }
  const observed = isOther ? undefined : settings.objectStorage;
  const parts: readonly Setting[] = [
    {
      field: 'bucket',
      path: 'origin.objectStorage.bucket',
      desired: wanted.bucket,
      observed: observed?.bucket,
      send: (value) => ({ bucketName: String(value) }),
    },
    {
      field: 'endpoint',
      path: 'origin.objectStorage.endpoint',
      desired: wanted.endpoint,
      observed: observed?.endpoint,
      send: (value) => ({ s3Endpoint: String(value) }),
    },
    {
      field: 'region',
      path: 'origin.objectStorage.region',
      desired: wanted.region,
      observed: observed?.region,
      send: (value) => ({ s3Region: String(value) }),
    },
    {
      field: 'documentIndex',
      path: 'origin.objectStorage.documentIndex',
      desired: wanted.documentIndex,
      baseline: false,
      observed: observed?.documentIndex ?? false,
      send: (value) => ({ docIndex: value === true }),
    },
  ];
  const part = planSettings(facts, parts);
  const { digest } = credentials;
  // The service never shows them: they are compared with what was sent.
  const isNew = isOther || isPending(facts.pending, 'originCredentials') || facts.applied.originCredentials !== digest;
  const ofType = isOther ? [driftOf('origin', 'ObjectStorage', settings.originType)] : [];
  const wasThere = !isOther && facts.applied.originCredentials !== undefined;
  const credentialsField = 'origin.objectStorage.credentialsSecretRef';
  return {
    applied: { ...part.applied, originCredentials: digest },
    settings: { ...(isOther && { originType: 1, originProtocol: 'https' }), ...part.settings },
    fields: [...(part.fields ?? []), ...(isNew ? (['originCredentials'] as const) : [])],
    credentials: isNew ? credentials.value : undefined,
    drift: [
      ...ofType,
      ...(part.drift ?? []),
      ...(isNew ? [driftOf(credentialsField, 'as in the Secret', 'not sent yet')] : []),
    ],
    changes: [
      ...mending([...ofType, ...(part.drift ?? [])]),
      ...(isNew ? [secretChange(credentialsField, { before: wasThere, after: true })] : []),
    ],
  };
}

function planSettings(facts: SiteFacts, settings: readonly Setting[]): SitePart<OriginField> {
  let send: PlainSettings = {};
  const fields: OriginField[] = [];
  const drift: Drift[] = [];
  const applied: Record<string, unknown> = {};
  for (const { field, path, desired, baseline, observed, send: toSend } of settings) {
    if (desired !== undefined) applied[field] = desired;
    const wanted = desired ?? (wasApplied(facts, field) ? baseline : undefined);
    if (wanted === undefined || wanted === observed) continue;
    send = { ...send, ...toSend(wanted) };
    fields.push(field);
    drift.push(driftOf(path, wanted, observed));
  }
  return { settings: send, fields, drift, applied };
}
