import { canonicalFingerprint, parseChain } from '../kinds/site-certificate/candidate.ts';
import { isEqual } from '../kubernetes/merge-patch.ts';
import { timestamp } from '../kubernetes/objects.ts';
import type { Change, ObjectChange } from '../shadow/service/types.ts';
import { secretDigest } from '../simulator/redact.ts';
import type { FieldChange } from './call.ts';
import { isMembers, memberAt } from './objects.ts';
import { UNSEEN } from './picture/stored.ts';

const SECRET = '(secret)';
const OTHER_SECRET = '(another secret)';

/** Whether a value as it is shown stands for a secret. */
export function isSecretText(text: string | undefined): boolean {
  return text === SECRET || text === OTHER_SECRET;
}

/** Says what an ID stands for: the name of a resource, or the ID itself. */
export type NameOf = (id: string) => string;

/** The fields of an object of the service that a change made others of, in the words of the spec. Pure. */
export function fieldsOf({ objects, route }: Pick<Change, 'objects' | 'route'>, nameOf: NameOf): FieldChange[] {
  return objects.flatMap((object) => fieldsOfObject(object, route, nameOf));
}

function fieldsOfObject(object: ObjectChange, route: string, nameOf: NameOf): FieldChange[] {
  const [before, after] = shownApart(object, nameOf);
  // What goes is not worth telling field by field.
  if (!object.after) return [];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((field) => {
    // Of settings, what is sent is what changes; that they take effect is the next call.
    if (route.endsWith('/config')) return [];
    const [was, is] = [before.get(field), after.get(field)];
    if (isEqual(was, is)) return [];
    // The service takes a SIM's routes with it. Which others are there then depends on what else goes at the same time.
    if (field === 'simRoutes' && route.startsWith('DELETE ')) {
      const left = listOf(is);
      const taken = listOf(was).filter((one) => !left.includes(one));
      return [{ field, before: textOf(field, taken), after: undefined }];
    }
    const isOther = was !== undefined && isSecret(is);
    return [{ field, before: textOf(field, was), after: isOther ? OTHER_SECRET : textOf(field, is) }];
  });
}

/** Both sides, by names; by IDs where the names are the same, as of a Sim that has got another SIM. */
function shownApart({ kind, before, after }: ObjectChange, nameOf: NameOf): readonly [Shown, Shown] {
  const byName = [shownOf(kind, before, nameOf), shownOf(kind, after, nameOf)] as const;
  if (!isEqual([...byName[0]], [...byName[1]])) return byName;
  const asItIs = (id: string) => id;
  return [shownOf(kind, before, asItIs), shownOf(kind, after, asItIs)];
}

type Shown = ReadonlyMap<string, unknown>;

function shownOf(kind: ObjectChange['kind'], object: ObjectChange['after'], nameOf: NameOf): Shown {
  if (!object) return new Map();
  const all = kind === 'sims' ? simFields : kind === 'gateways' ? gatewayFields : kind === 'sites' ? siteFields : {};
  return new Map(
    Object.entries(all).flatMap(([field, read]) => {
      const value = read(object, nameOf);
      return value === undefined || value === null || value === '' ? [] : [[field, value] as const];
    }),
  );
}

type Read = (object: unknown, nameOf: NameOf) => unknown;
const at =
  (...path: string[]): Read =>
  (object) =>
    memberAt(object, ...path);
const choice =
  (words: readonly string[], ...path: string[]): Read =>
  (object) => {
    const value = memberAt(object, ...path);
    return value === null || value === undefined ? value : (words[Number(value)] ?? value);
  };
const named =
  (...path: string[]): Read =>
  (object, nameOf) => {
    const id = memberAt(object, ...path);
    return typeof id === 'string' ? nameOf(id) : undefined;
  };
/** Tells whether a secret is another, and no more. */
const secret =
  (...path: string[]): Read =>
  (object) => {
    const value = memberAt(object, ...path);
    if (value === undefined || value === null || value === '') return undefined;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return { secret: text.includes(UNSEEN) ? UNSEEN : secretDigest(text) };
  };

const simFields: Readonly<Record<string, Read>> = {
  iccid: at('iccid'),
  displayName: at('name'),
  activated: at('activated'),
  gateway: named('gatewayID'),
  ipAddress: at('ip'),
  imeiLock: at('imeiLock'),
  carriers: (object) =>
    listOf(memberAt(object, 'carriers')).map(
      (one) => `${plainText(memberAt(one, 'name'))} ${memberAt(one, 'allow') === true ? 'allowed' : 'not allowed'}`,
    ),
};

const gatewayFields: Readonly<Record<string, Read>> = {
  zone: at('zone'),
  displayName: at('name'),
  planID: at('planID'),
  instanceStatus: at('instanceStatus'),
  internetConnection: at('pending', 'internetConnection'),
  interDeviceCommunication: at('pending', 'interDeviceCommunication'),
  privateInterface: (object) => {
    const found = memberAt(object, 'pending', 'privateInterface');
    return isMembers(found) ? `${plainText(found['ipAddress'])}/${plainText(found['networkMaskLength'])}` : undefined;
  },
  staticRoutes: (object) =>
    listOrNone(
      memberAt(object, 'pending', 'staticRoutes'),
      (one) => `${plainText(memberAt(one, 'prefix'))} via ${plainText(memberAt(one, 'nextHop'))}`,
    ),
  dns: (object) => {
    const found = memberAt(object, 'dns');
    return isMembers(found) ? `${plainText(found['primary'])}, ${plainText(found['secondary'])}` : undefined;
  },
  simRoutes: (object, nameOf) =>
    listOrNone(
      memberAt(object, 'simRoutes'),
      (one) => `${plainText(memberAt(one, 'prefix'))} to ${nameOf(plainText(memberAt(one, 'simID')))}`,
    ),
  'trafficMonitoring.quotaMB': at('trafficMonitoring', 'quotaMB'),
  'trafficMonitoring.autoTrafficShaping': at('trafficMonitoring', 'autoTrafficShaping'),
  'trafficMonitoring.bandwidthLimitKbps': at('trafficMonitoring', 'bandwidthLimitKbps'),
  'trafficMonitoring.email': at('trafficMonitoring', 'email'),
  'trafficMonitoring.chat': at('trafficMonitoring', 'chat'),
  'trafficMonitoring.chatWebhook': secret('trafficMonitoring', 'chatURL'),
};

const siteFields: Readonly<Record<string, Read>> = {
  domain: at('domain'),
  displayName: at('settings', 'Name'),
  requestProtocol: choice(['HTTPAndHTTPS', 'HTTPSOnly', 'RedirectToHTTPS'], 'settings', 'RequestProtocol'),
  originType: choice(['WebServer', 'ObjectStorage'], 'settings', 'OriginType'),
  'origin.host': at('settings', 'Origin'),
  'origin.hostHeader': at('settings', 'HostHeader'),
  'origin.protocol': at('settings', 'OriginProtocol'),
  'origin.bucket': at('settings', 'BucketName'),
  'origin.endpoint': at('settings', 'S3Endpoint'),
  'origin.region': at('settings', 'S3Region'),
  'origin.documentIndex': choice(['false', 'true'], 'settings', 'DocIndex'),
  'origin.accessKeyID': secret('accessKeyID'),
  'origin.secretAccessKey': secret('secretAccessKeyDigest'),
  defaultCacheTTL: at('settings', 'DefaultCacheTTL'),
  vary: choice(['false', 'true'], 'settings', 'VarySupport'),
  // What was never set means gzip.
  normalizeAcceptEncoding: (object) =>
    Number(memberAt(object, 'settings', 'NormalizeAE')) === 3 ? 'BrotliAndGzip' : 'Gzip',
  cors: (object) => {
    const [rule] = listOf(memberAt(object, 'settings', 'CORSRules'));
    if (rule === undefined) return 'off';
    return memberAt(rule, 'AllowsAnyOrigin') === true ? 'any origin' : listOf(memberAt(rule, 'AllowedOrigins'));
  },
  oneTimeURLSecret: secret('oneTimeURLSecrets'),
  accessControl: (object) => {
    const text = memberAt(object, 'acl');
    return typeof text === 'string' && text !== '' ? text.split('\n') : undefined;
  },
  certificate: (object) => certificateText(memberAt(object, 'current')),
  previousCertificate: (object) => certificateText(memberAt(object, 'previous')),
};

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function listOrNone(value: unknown, text: (one: unknown) => string): readonly string[] | undefined {
  const list = listOf(value).map(text);
  return list.length === 0 ? undefined : list;
}

/** A certificate by its fingerprint and when it expires: never its key, and its chain says no more. */
function certificateText(stored: unknown): string | undefined {
  if (!isMembers(stored)) return undefined;
  const shown = certificateFacts(stored);
  if (!shown) return undefined;
  const { fingerprint, notAfter } = shown;
  return `${fingerprint === '' ? '' : `SHA-256 ${fingerprint.slice(0, 16)}…, `}expires ${timestamp(notAfter)}`;
}

function certificateFacts(stored: unknown): { fingerprint: string; notAfter: number } | undefined {
  const shown = memberAt(stored, 'shown');
  const chain = memberAt(stored, 'chain');
  if (isMembers(shown)) {
    return {
      fingerprint: canonicalFingerprint(plainText(shown['sha256Fingerprint'])),
      notAfter: Number(shown['notAfter']),
    };
  }
  const parsed = typeof chain === 'string' ? parseChain(chain) : [];
  const leaf = 'length' in parsed ? parsed[0] : undefined;
  return leaf && { fingerprint: canonicalFingerprint(leaf.fingerprint256), notAfter: leaf.validToDate.getTime() };
}

/** A text as it is; what JSON has otherwise, as JSON. */
function plainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isSecret(value: unknown): value is { readonly secret: string } {
  return isMembers(value) && typeof value['secret'] === 'string';
}

function textOf(field: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (isSecret(value)) return SECRET;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join('; ');
  const text = plainText(value);
  return field === 'defaultCacheTTL' ? `${text} s` : text;
}
