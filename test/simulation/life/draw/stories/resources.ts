import { type JsonObject, mergePatch } from '../../json.ts';
import type { ObjectSeeds } from '../../setting.ts';
import type { Role } from '../cast.ts';
import { type Draft, put } from '../draft.ts';
import { passCodeKey } from '../setting.ts';
import { iccids, type ManagedPlural, manifest, ref } from '../vocabulary.ts';

/** How long somebody tries again whose name is taken. Milliseconds. */
const PATIENCE = 120_000;

/** An account that has nothing at first. */
export const nothing: ObjectSeeds = { sims: [], gateways: [], sites: [], servers: [] };

export function iccidOf(index: number): string {
  return iccids[index] ?? '';
}

/** The spec of a Sim for the SIM at this place of the vocabulary. */
export function simSpec(index: number, more: JsonObject = {}): JsonObject {
  const iccid = iccidOf(index);
  return { iccid, passCodeSecretRef: { name: 'secrets', key: passCodeKey(iccid) }, ...more };
}

/** A resource comes, with just this spec. */
export function appear(draft: Draft, plural: ManagedPlural, name: string, spec: JsonObject, later = 0): Role {
  const role = roleOf(draft, plural, name, spec);
  draft.present.set(role, { spec, annotations: {} });
  put(draft, creation(role, spec), later);
  return role;
}

/** One that is to come once all is settled. */
export function roleOf({ drawn }: Draft, plural: ManagedPlural, name: string, fixed: JsonObject): Role {
  return { ref: ref(plural, drawn.namespaces[0], name), plural, fixed, world: 'east' };
}

export function creation({ ref: target, plural }: Role, spec: JsonObject) {
  const made = manifest(plural, target.namespace, target.name, spec);
  return { what: 'create', ref: target, manifest: made, patience: PATIENCE } as const;
}

/** Members of its spec change; undefined ones leave it. */
export function amend(
  draft: Draft,
  role: Role,
  change: Record<string, JsonObject[string] | undefined>,
  later = 0,
): void {
  const act = amendment(draft, role, change);
  if (act) put(draft, act, later);
}

/** The same as an act for another moment, with what users believe of the resource from then on. */
export function amendment(draft: Draft, role: Role, change: Record<string, JsonObject[string] | undefined>) {
  const present = draft.present.get(role);
  if (!present) return undefined;
  const next = Object.fromEntries(
    Object.entries({ ...present.spec, ...change }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
  const spec = mergePatch(present.spec, next);
  present.spec = next;
  return { what: 'patch', ref: role.ref, patch: { spec } } as const;
}
