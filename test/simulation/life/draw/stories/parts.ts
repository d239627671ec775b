import { certificateNamed } from '../../../certificates.ts';
import { type Json, type JsonObject, mergePatch } from '../../json.ts';
import type { Act } from '../../script.ts';
import type { ObjectSeeds } from '../../setting.ts';
import type { Role } from '../cast.ts';
import { type Draft, put } from '../draft.ts';
import { seededID, sitePlace } from '../seed.ts';
import { tlsSecretName } from '../setting.ts';
import { type ManagedPlural, manifest, ref, secret, tlsData } from '../vocabulary.ts';
import type { Wishes } from './story.ts';

/** The namespace of stories with one. */
export const HOME = 'fleet';
export const DOMAIN = 'a.example.jp';
export const SITE_ID = seededID('east', sitePlace(0));
/** Names that are taken become free within this. Milliseconds. */
const PATIENCE = 120_000;

/** One namespace, and one account that all of it uses. */
export const oneAccount: Wishes = { namespaces: 1, hasClusterAccount: true, isTight: false };

/** Somebody who is in a story. */
export function role(plural: ManagedPlural, name: string, fixed: JsonObject): Role {
  return { ref: ref(plural, HOME, name), plural, fixed, world: 'east' };
}

/** The site of a story, as people made it. */
export function siteSeed(
  settings: Readonly<Record<string, Json>> = {},
  certificate?: string,
): NonNullable<ObjectSeeds['sites']> {
  return [
    {
      id: SITE_ID,
      createdAt: '2025-06-01T00:00:00Z',
      name: DOMAIN,
      domain: DOMAIN,
      settings: { ...settings },
      ...(certificate !== undefined && { certificate: pairOf(certificate) }),
    },
  ];
}

/** A test certificate as people paste it, by its name; `leaf` alone: without its issuer. */
export function pairOf(name: string, leaf = false): { readonly chain: string; readonly key: string } {
  const { chain, key } = certificateNamed(name);
  const [first = ''] = chain.split(/(?<=-----END CERTIFICATE-----\n)/);
  return { chain: leaf ? first : chain, key };
}

/** Creates a resource with this spec, so much later than the draft is. Milliseconds. */
export function appear(draft: Draft, one: Role, spec: JsonObject, later = 0): void {
  put(draft, creation(draft, one, spec), later);
}

/** The same as an act, for encores and occasions. */
export function creation(draft: Draft, one: Role, spec: JsonObject): Act {
  const whole = { ...one.fixed, ...spec };
  draft.present.set(one, { spec: whole, annotations: {} });
  const { namespace, name } = one.ref;
  return { what: 'create', ref: one.ref, manifest: manifest(one.plural, namespace, name, whole), patience: PATIENCE };
}

/** Gives a resource another spec; what names it stays. Call it in the order of time. */
export function amend(draft: Draft, one: Role, spec: JsonObject, later = 0): void {
  const act = amendment(draft, one, spec);
  if (act) put(draft, act, later);
}

/** The same as an act; undefined: nothing would change. */
export function amendment(draft: Draft, one: Role, spec: JsonObject): Act | undefined {
  const present = draft.present.get(one);
  if (!present) return undefined;
  const next = { ...one.fixed, ...spec };
  const patch = mergePatch(present.spec, next);
  present.spec = next;
  return Object.keys(patch).length > 0 ? { what: 'patch', ref: one.ref, patch: { spec: patch } } : undefined;
}

/** Puts a test certificate into the Secret of the site's certificates, or into another. */
export function renewal(certificate: string, leaf = false, name = tlsSecretName(DOMAIN)): Act {
  const made = secret(HOME, name, tlsData(pairOf(certificate, leaf)), 'kubernetes.io/tls');
  return { what: 'create', ref: ref('secrets', HOME, name), manifest: made, patience: 0 };
}

/** One value of a Secret, replaced. */
export function newValue(name: string, key: string, value: string): Act {
  const data = { [key]: Buffer.from(value).toString('base64') };
  return { what: 'patch', ref: ref('secrets', HOME, name), patch: { data } };
}
