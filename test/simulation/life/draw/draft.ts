import type { Random } from '../../../../src/shadow/world/random.ts';
import type { JsonObject } from '../json.ts';
import type { Act, Step } from '../script.ts';
import type { Role } from './cast.ts';
import type { DrawnSetting } from './setting.ts';

/** A life as far as it is drawn: what users believe there is. */
export interface Draft {
  readonly random: Random;
  readonly drawn: DrawnSetting;
  readonly cast: readonly Role[];
  /** What a role is like at the moment; absent: it is not there. */
  readonly present: Map<Role, Present>;
  /** The moment that is drawn. */
  at: number;
  readonly steps: Step[];
}

export interface Present {
  spec: JsonObject;
  annotations: JsonObject;
}

export function put(draft: Draft, act: Act, later = 0): void {
  draft.steps.push({ at: Math.round(draft.at + later), ...act });
}

export function presentOf(draft: Draft, plural: string, namespace?: string): Role[] {
  return [...draft.present.keys()].filter(
    (role) => role.plural === plural && (namespace === undefined || role.ref.namespace === namespace),
  );
}

/** The names that resources of a namespace may have, whether they are there or not. */
export function namesOf(draft: Draft, plural: string, namespace: string | undefined): string[] {
  return draft.cast
    .filter((role) => role.plural === plural && role.ref.namespace === namespace)
    .map(({ ref }) => ref.name);
}
