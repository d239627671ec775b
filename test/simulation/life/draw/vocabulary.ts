import type { ManagedKindName } from '../../../../src/reconcile/kind-names.ts';
import type { Random } from '../../../../src/shadow/world/random.ts';
import { certificates, type TestCertificate } from '../../certificates.ts';
import type { JsonObject } from '../json.ts';
import type { Ref } from '../script.ts';

/** Every secret has this in it, so that one search finds whichever gets where it does not belong. */
export const CANARY = 'kanari';

export const API_VERSION = 'edgeline.dev/v1alpha1';
export const BASE_URL = 'https://api.example.jp';

/** By kind; a managed kind without one does not compile. */
const plurals = {
  Sim: 'sims',
  MobileGateway: 'mobilegateways',
  WebAccelSite: 'webaccelsites',
  SiteCertificate: 'sitecertificates',
} as const satisfies Record<ManagedKindName, string>;

export type ManagedPlural = (typeof plurals)[ManagedKindName];
export const managedPlurals: readonly ManagedPlural[] = Object.values(plurals);

/** By plural. */
export const kinds: Readonly<Record<ManagedPlural | 'cloudaccounts' | 'clustercloudaccounts', string>> = {
  sims: 'Sim',
  mobilegateways: 'MobileGateway',
  webaccelsites: 'WebAccelSite',
  sitecertificates: 'SiteCertificate',
  cloudaccounts: 'CloudAccount',
  clustercloudaccounts: 'ClusterCloudAccount',
};

export const iccids: readonly string[] = [1, 2, 3, 4, 5, 6, 7, 8].map((digit) => `898104000000000000${digit}`);
export const imeis = ['356938035643809', '490154203237518'] as const;
export const carriers = ['KDDI', 'SoftBank', 'NTT DOCOMO'] as const;
export const zones = ['is1a', 'is1b', 'tk1a'] as const;
export const networks = [
  { ipAddress: '10.0.0.1', networkMaskLength: 24 },
  { ipAddress: '10.0.0.1', networkMaskLength: 25 },
  { ipAddress: '10.0.0.2', networkMaskLength: 24 },
] as const;
/** Few, so that Sims want the same ones. */
export const addresses = ['10.0.0.11', '10.0.0.12', '10.0.0.13', '10.0.0.14'] as const;
export const resolvers = [
  { primary: '8.8.8.8', secondary: '8.8.4.4' },
  { primary: '1.1.1.1', secondary: '1.0.0.1' },
] as const;
export const domains = ['a.example.jp', 'b.example.jp', 'c.example.jp', '日本語.jp'] as const;
export const rules = [
  ['deny 192.0.2.0/24', 'allow all'],
  ['allow 198.51.100.7', 'deny all'],
  ['deny 203.0.113.9'],
] as const;

/** The name that Secrets with certificates for a domain have. */
const letters: Readonly<Record<string, string>> = { 'a.example.jp': 'a', 'b.example.jp': 'b', 'c.example.jp': 'c' };

/** Certificates that are good for a domain from the start of a life to its end. */
export function goodCertificates(domain: string): readonly TestCertificate[] {
  const letter = letters[domain];
  const names =
    letter === undefined
      ? /^japanese-/
      : new RegExp(`^(${letter}-\\d|wildcard-.*${letter < 'c' ? '|a-and-b-.*' : ''})$`);
  return certificates.filter(({ name }) => names.test(name));
}

export function ref(plural: string, namespace: string | undefined, name: string): Ref {
  return { plural, namespace, name };
}

export function manifest(
  plural: keyof typeof kinds,
  namespace: string | undefined,
  name: string,
  spec: JsonObject,
): JsonObject {
  const metadata: JsonObject = namespace === undefined ? { name } : { name, namespace };
  return { apiVersion: API_VERSION, kind: kinds[plural], metadata, spec };
}

export function secret(namespace: string, name: string, stringData: JsonObject, type = 'Opaque'): JsonObject {
  const data = Object.fromEntries(
    Object.entries(stringData).map(([key, value]) => [
      key,
      Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64'),
    ]),
  );
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, type, data };
}

export function tlsData({ chain, key }: Pick<TestCertificate, 'chain' | 'key'>): JsonObject {
  return { 'tls.crt': chain, 'tls.key': key };
}

/** What a site is given: one of the certificates that are good for its domain. */
export function drawCertificate(domain: string, random: Random): { readonly chain: string; readonly key: string } {
  const { chain, key } = random.pick(goodCertificates(domain));
  return { chain, key };
}
