import { type Json, type JsonObject, mergePatch } from '../../json.ts';
import type { Act, Encore } from '../../script.ts';
import type { Role } from '../cast.ts';
import { type Draft, put } from '../draft.ts';
import { type ManagedPlural, manifest, ref } from '../vocabulary.ts';

/** The first namespace of any life, in which stories happen. */
export const HOME = 'fleet';
/** How long somebody tries again whose name is taken. Milliseconds. */
const PATIENCE = 120_000;
const MINUTE = 60_000;

/** Somebody who is in a story. */
export function role(plural: ManagedPlural, name: string, fixed: JsonObject): Role {
  return { ref: ref(plural, HOME, name), plural, fixed, world: 'east' };
}

/** Creates a resource with what names it and this spec, so much later than the draft is. Milliseconds. */
export function appear(draft: Draft, one: Role, spec: JsonObject = {}, later = 0): void {
  put(draft, creation(draft, one, spec), later);
}

/** Creates a resource that only this moment knows of, with this spec. */
export function introduce(draft: Draft, plural: ManagedPlural, name: string, spec: JsonObject, later = 0): Role {
  const one = role(plural, name, spec);
  appear(draft, one, {}, later);
  return one;
}

/** The same as an act, for encores and occasions. */
export function creation(draft: Draft, one: Role, spec: JsonObject = {}): Act {
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
  return change(draft, one, { ...one.fixed, ...spec });
}

/** Changes members of a spec and leaves the others; undefined ones go. Call it in the order of time. */
export function alter(draft: Draft, one: Role, members: Record<string, Json | undefined>, later = 0): void {
  const act = alteration(draft, one, members);
  if (act) put(draft, act, later);
}

/** The same as an act; undefined: nothing would change. */
export function alteration(draft: Draft, one: Role, members: Record<string, Json | undefined>): Act | undefined {
  const entries = Object.entries({ ...draft.present.get(one)?.spec, ...members });
  return change(
    draft,
    one,
    Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
  );
}

function change(draft: Draft, one: Role, next: JsonObject): Act | undefined {
  const present = draft.present.get(one);
  if (!present) return undefined;
  const patch = mergePatch(present.spec, next);
  present.spec = next;
  return Object.keys(patch).length > 0 ? { what: 'patch', ref: one.ref, patch: { spec: patch } } : undefined;
}

export function removeAt(draft: Draft, one: Role, later: number): void {
  draft.present.delete(one);
  put(draft, { what: 'delete', ref: one.ref }, later);
}

export function annotateAt(
  draft: Draft,
  { ref: target }: Pick<Role, 'ref'>,
  key: string,
  value: string | null,
  later: number,
): void {
  put(draft, { what: 'patch', ref: target, patch: { metadata: { annotations: { [key]: value } } } }, later);
}

/** It shows at once, or before anything is looked at in turn. */
export function shows(act: Act, why: string, within = MINUTE): Encore {
  return { act, within, why };
}
