import type { JsonObject } from '../../json.ts';
import type { Encore } from '../../script.ts';
import type { Role } from '../cast.ts';
import { type Draft, put } from '../draft.ts';
import { type DrawnSetting, passCodeKey, tlsSecretName } from '../setting.ts';
import { domains, iccids, type ManagedPlural, manifest, ref } from '../vocabulary.ts';

/** What stories put their scenes together from. */

const SECOND = 1000;

/** The namespace that a story happens in. */
export function homeOf({ namespaces }: DrawnSetting): string {
  return namespaces[0] ?? '';
}

function role(drawn: DrawnSetting, plural: ManagedPlural, name: string, fixed: JsonObject): Role {
  return { ref: ref(plural, homeOf(drawn), name), plural, fixed, world: 'east' };
}

/** Sims that may register their SIMs. */
export function simRoles(drawn: DrawnSetting, count: number): Role[] {
  return iccids.slice(0, count).map((iccid, index) =>
    role(drawn, 'sims', `sim-${index + 1}`, {
      iccid,
      passCodeSecretRef: { name: 'secrets', key: passCodeKey(iccid) },
    }),
  );
}

export function gatewayRoles(drawn: DrawnSetting, count: number): Role[] {
  return Array.from({ length: count }, (_, index) =>
    role(drawn, 'mobilegateways', `gateway-${index + 1}`, { zone: 'is1a', planID: 2 }),
  );
}

/** Sites, each with its certificate. */
export function siteRoles(drawn: DrawnSetting, count: number): Role[] {
  return domains.slice(0, count).flatMap((domain, index) => [
    role(drawn, 'webaccelsites', `site-${index + 1}`, { domain }),
    role(drawn, 'sitecertificates', `certificate-${index + 1}`, {
      siteRef: { name: `site-${index + 1}` },
      secretRef: { name: tlsSecretName(domain) },
    }),
  ]);
}

/** Somebody creates a role with what names it, and with `more`. */
export function bring(draft: Draft, one: Role, more: JsonObject, later = 0): void {
  const spec = { ...one.fixed, ...more };
  draft.present.set(one, { spec, annotations: {} });
  const { namespace, name } = one.ref;
  const made = manifest(one.plural, namespace, name, spec);
  put(draft, { what: 'create', ref: one.ref, manifest: made, patience: 120 * SECOND }, later);
}

export function removeAt(draft: Draft, one: Role, later: number): void {
  draft.present.delete(one);
  put(draft, { what: 'delete', ref: one.ref }, later);
}

export function annotateAt(
  draft: Draft,
  one: Pick<Role, 'ref'>,
  key: string,
  value: string | null,
  later: number,
): void {
  put(draft, { what: 'patch', ref: one.ref, patch: { metadata: { annotations: { [key]: value } } } }, later);
}

/** It shows at once, or before anything is looked at in turn. */
export function shows(act: Encore['act'], why: string, within = 60 * SECOND): Encore {
  return { act, within, why };
}
