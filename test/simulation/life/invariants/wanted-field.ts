import type { Change } from '../../../../src/shadow/service/types.ts';
import type { Claim } from '../reading/claim.ts';
import { type FieldReading, isInSpec } from '../reading/sim.ts';
import type { Scene } from '../scene.ts';
import type { Say } from './invariant.ts';

/** A change that the operator made, and how to say that nobody asked for it. */
export interface About {
  readonly scene: Scene;
  readonly change: Change;
  readonly moment: number;
  readonly say: Say;
}

/** The general rule: a version has the field, and so it is now; or some version lacks it, and what it owned is unset. */
export function isWantedField<V extends { readonly id: string }>(
  scene: Scene,
  { incarnation, versions, since }: Claim,
  reading: FieldReading<V>,
  before: V,
  after: V,
): boolean {
  const { field } = reading;
  return versions.some((version) =>
    isInSpec(version, field)
      ? reading.holds(scene, incarnation, version, after, since)
      : reading.isUnset(after, before, incarnation.name) &&
        scene.ownership.owns(incarnation.uid, after.id, field, since),
  );
}

export function text(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}
