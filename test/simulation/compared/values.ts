import { type KindDefinition, specSchemaOf, statusSchemaOf } from '../../../src/kubernetes/crd.ts';
import { apply } from '../../../src/kubernetes/merge-patch.ts';
import type { Chances } from './random.ts';
import { WRONG } from './wrong.ts';

type Members = Record<string, unknown>;

const secret = { name: 'service-credentials' };
const key = { name: 'passcode', key: 'code' };

/** Specs that are right, by plural. */
const SPECS: Readonly<Record<string, readonly [object, ...object[]]>> = {
  sims: [
    { iccid: '8981040000000000017' },
    {
      iccid: '8981040000000000018',
      gatewayRef: { name: 'depot' },
      ipAddress: '10.0.0.17',
      displayName: 'truck',
      accountRef: { kind: 'CloudAccount', name: 'a' },
      activated: true,
      passCodeSecretRef: key,
      carriers: [
        { name: 'KDDI', allow: true },
        { name: 'SoftBank', allow: false },
      ],
    },
    { iccid: '8981040000000000019', resourceID: '113300000017', imeiLock: '356938035643809', deletionPolicy: 'Orphan' },
    {
      iccid: '8981040000000000020',
      dataLimit: { monthly: '1.5Gi', action: 'Deactivate' },
      expectOnlineWithin: '1d2h30m',
    },
  ],
  mobilegateways: [
    { zone: 'is1b' },
    {
      zone: 'tk1a',
      planID: 2,
      internetConnection: true,
      privateInterface: { ipAddress: '10.0.0.1', networkMaskLength: 24 },
      staticRoutes: [{ prefix: '10.1.0.0/24', nextHop: '10.0.0.7' }],
      simRoutes: [{ prefix: '10.2.0.0/24', simRef: { name: 'a' } }],
      dns: { primary: '8.8.8.8', secondary: '8.8.4.4' },
      trafficMonitoring: { quotaMB: 10, autoTrafficShaping: true, bandwidthLimitKbps: 64, chatWebhookSecretRef: key },
    },
  ],
  webaccelsites: [
    { domain: 'www.example.jp' },
    {
      siteID: '113300000017',
      origin: { webServer: { host: 'origin.example.jp', hostHeader: 'www.example.jp', protocol: 'HTTPS' } },
      cors: { allowedOrigins: ['https://www.example.jp', 'http://a.example.jp:8080'] },
      defaultCacheTTL: 60,
      accessControl: ['deny all'],
    },
    { domain: 'a.example.jp', cors: null, vary: true },
  ],
  sitecertificates: [
    { siteRef: { name: 'www' }, secretRef: secret },
    { siteID: '113300000017', secretRef: secret, allowRollback: true },
  ],
  cloudaccounts: [
    { baseURL: 'https://api.example.jp', credentialsSecretRef: secret },
    { baseURL: 'https://api.example.jp:8443/', credentialsSecretRef: secret, limits: { webAccelRequestsPerHour: 400 } },
  ],
  clustercloudaccounts: [
    {
      baseURL: 'https://api.example.jp',
      credentialsSecretRef: secret,
      secretNamespace: 'default',
      namespaceSelector: {
        matchLabels: { team: 'trucks' },
        matchExpressions: [{ key: 'team', operator: 'In', values: ['a'] }],
      },
    },
  ],
};

const at = '2026-01-02T03:04:05Z';

/** Statuses that are right for any kind. */
const STATUSES: readonly [object, ...object[]] = [
  { observedGeneration: 1 },
  {
    conditions: [{ type: 'Ready', status: 'True', reason: 'Available', message: 'It works.', lastTransitionTime: at }],
  },
  {
    observedGeneration: 2,
    conditions: [
      { type: 'Ready', status: 'False', reason: 'Waiting', message: 'It waits.', lastTransitionTime: at },
      {
        type: 'Synced',
        status: 'Unknown',
        reason: 'Waiting',
        message: '',
        lastTransitionTime: at,
        observedGeneration: 2,
      },
    ],
  },
];

/** A spec of the kind; wrong in one place or two, now and then, unless it has to be right. */
export function specOf(definition: KindDefinition, random: Chances, isRight = false): unknown {
  const specs = SPECS[definition.plural];
  if (!specs) throw new TypeError(`there are no specs for ${definition.plural}`);
  const spec = random.pick(specs);
  return isRight ? spec : sometimesWrong(specSchemaOf(definition), spec, random);
}

/** A status of the kind; wrong now and then. */
export function statusOf(definition: KindDefinition, random: Chances): unknown {
  return sometimesWrong(statusSchemaOf(definition), random.pick(STATUSES), random);
}

/** The specs of a kind that are right; and of each those that are wrong in a way a rule is about. */
export function knownSpecs({ plural }: KindDefinition): { right: object; wrong: unknown[] }[] {
  const wrong = WRONG[plural] ?? [];
  return (SPECS[plural] ?? []).map((right) => ({ right, wrong: wrong.map((patch) => apply(right, patch)) }));
}

/** A spec that is right but for one change, which may be right, too. */
export function almostRight(definition: KindDefinition, random: Chances): unknown {
  return changed(specSchemaOf(definition), specOf(definition, random, true), random);
}

/** Changes a value in some places, as a person or a program might who knows the schema, and errs. */
export function changed(schema: unknown, value: unknown, random: Chances): unknown {
  const node = isMembers(schema) ? schema : {};
  if (random.oneIn(8)) return somethingElse(node, value, random);
  if (Array.isArray(value)) {
    const index = random.below(value.length + 1);
    if (random.oneIn(4)) return [...value, ...value];
    if (index === value.length) return [...value, somethingElse(memberOf(node, 'items'), value[0], random)];
    return value.map((item, each) => (each === index ? changed(memberOf(node, 'items'), item, random) : item));
  }
  if (isMembers(value)) {
    const properties = isMembers(node.properties) ? node.properties : {};
    const [present, possible] = [Object.keys(value), Object.keys(properties)];
    const name = random.any(random.below(3) > 0 && present.length > 0 ? present : possible);
    if (name === undefined || random.oneIn(15)) {
      return isMembers(node.additionalProperties)
        ? { ...value, [random.pick(['a b', 'color', 'a/b/c'])]: random.pick(['red', 'a b']) }
        : { ...value, unknown: { of: 'nobody' } };
    }
    if (random.oneIn(6)) {
      const { [name]: _, ...rest } = value;
      return rest;
    }
    const schemaOfIt = properties[name] ?? node.additionalProperties;
    const now = value[name];
    return {
      ...value,
      [name]: now === undefined ? somethingElse(schemaOfIt, undefined, random) : changed(schemaOfIt, now, random),
    };
  }
  return somethingElse(node, value, random);
}

function sometimesWrong(schema: unknown, value: unknown, random: Chances): unknown {
  if (random.below(3) > 0) return value;
  const once = changed(schema, value, random);
  return random.oneIn(3) ? changed(schema, once, random) : once;
}

const TEXTS = [
  '',
  'x',
  'a b',
  'line\n',
  '𝒳',
  '0.0.0.0',
  '10.0.0.0',
  '10.0.0.1',
  '10.0.0.18',
  '10.0.0.255',
  '10.9.0.1',
  '224.0.0.1',
  '10.0.0.0/24',
  '10.0.0.1/24',
  '10.1.0.0/24',
  '224.0.0.0/24',
  '10.0.0.0/33',
  'http://api.example.jp',
  'https://b.example.jp',
  'https://b.example.jp:99999',
  'https://b.example.jp/path',
  'b.example.jp:99999',
  'b.example.jp:443',
  '[::1]:443',
  '*',
  'tk1a',
  '8981040000000000099',
] as const;

function somethingElse(schema: unknown, value: unknown, random: Chances): unknown {
  const node = isMembers(schema) ? schema : {};
  if (random.oneIn(12)) return random.pick<unknown>([null, 'text', 7, 1.5, true, {}, [], ['a'], { a: 'b' }]);
  if (Array.isArray(node.enum) && random.below(4) > 0) return random.any(node.enum);
  switch (node.type) {
    case 'string': {
      const most = typeof node.maxLength === 'number' ? node.maxLength : 100;
      return random.pick<string>([
        random.pick(TEXTS),
        random.pick(TEXTS),
        random.pick(TEXTS),
        'a'.repeat(most),
        'a'.repeat(most + 1),
        'é'.repeat(most),
      ]);
    }
    case 'integer': {
      const least = typeof node.minimum === 'number' ? node.minimum : 0;
      const most = typeof node.maximum === 'number' ? node.maximum : 1000;
      return random.pick([least, least - 1, most, most + 1, 8, 24, 30]);
    }
    case 'boolean':
      return random.oneIn(2);
    case 'array':
      return random.oneIn(2)
        ? []
        : Array.from({ length: random.below(6) }, () => somethingElse(node.items, undefined, random));
    case 'object': {
      const properties = isMembers(node.properties) ? Object.entries(node.properties) : [];
      return Object.fromEntries(
        properties
          .filter(() => random.below(3) > 0)
          .map(([name, one]) => [name, somethingElse(one, undefined, random)]),
      );
    }
    default:
      return value ?? 'text';
  }
}

function memberOf(node: Members, name: string): Members {
  const member = node[name];
  return isMembers(member) ? member : {};
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
