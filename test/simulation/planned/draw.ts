import { keyOf, type ObjectJson } from '../../../src/plan/objects.ts';
import { createRandom, type Random } from '../../../src/shadow/world/random.ts';
import { drawCast, type Role } from '../life/draw/cast.ts';
import { type DrawnSetting, drawSetting } from '../life/draw/setting.ts';
import { drawSpec } from '../life/draw/specs.ts';
import type { Wishes } from '../life/draw/stories/story.ts';
import { kinds } from '../life/draw/vocabulary.ts';
import type { JsonObject } from '../life/json.ts';
import type { Setting } from '../life/setting.ts';

const MINUTE = 60_000;

/** A cluster and a service as users have them, and what somebody is about to apply. */
export interface DrawnState extends DrawnChange {
  readonly setting: Setting;
  /** What the cluster has of Edgeline, but for accounts. */
  readonly present: readonly ObjectJson[];
  /** How long the operator has had for that. Milliseconds. */
  readonly age: number;
  /** What somebody applies next, each time it is asked for: when all before is done. */
  readonly next: () => DrawnChange;
  /** For all else that chance decides. */
  readonly random: Random;
}

/** What somebody does with a cluster in one go. */
export interface DrawnChange {
  readonly manifests: readonly ObjectJson[];
  /** What is deleted, by `keyOf`. */
  readonly prune: ReadonlySet<string>;
}

/** A state that a seed decides; `more`: what it is to be like besides. */
export function drawState(seed: number, more: Pick<Wishes, 'hasClusterAccount'> = {}): DrawnState {
  const random = createRandom(`plan ${seed}`);
  const drawn: DrawnSetting = drawSetting(random.fork('setting'), { isTight: false, hasOther: false, ...more });
  const cast = drawCast(drawn, random.fork('cast'));
  const specs = new Map(cast.filter(() => random.chance(0.7)).map((role) => [role, specOf(role, cast, random)]));
  const present = [...specs].map(([role, spec]) => manifestOf(role, spec));
  const age = random.pick([30, 50, 95]) * MINUTE;

  function next(): DrawnChange {
    const manifests: ObjectJson[] = [];
    const prune = new Set<string>();
    for (const role of cast) {
      const spec = specs.get(role);
      const { plural, namespace, name } = role.ref;
      const changes = random.chance(spec ? 0.35 : 0.6);
      if (spec && changes && random.chance(0.3)) {
        prune.add(keyOf(plural, namespace, name));
        specs.delete(role);
      } else if (changes) {
        const other = edited(spec, role, cast, random);
        manifests.push(manifestOf(role, other));
        specs.set(role, other);
      } else if (spec && random.chance(0.5)) manifests.push(manifestOf(role, spec));
    }
    return { manifests, prune };
  }

  return { setting: drawn.setting, present, age, ...next(), next, random };
}

function around(role: Role, cast: readonly Role[]) {
  const names = (plural: string) =>
    cast.filter(({ ref }) => ref.plural === plural && ref.namespace === role.ref.namespace).map(({ ref }) => ref.name);
  return { gateways: names('mobilegateways'), sims: names('sims') };
}

function specOf(role: Role, cast: readonly Role[], random: Random): JsonObject {
  return drawSpec(role.plural, role.fixed, random, around(role, cast));
}

/** A spec that differs in a field or two, or in all. */
function edited(spec: JsonObject | undefined, role: Role, cast: readonly Role[], random: Random): JsonObject {
  const other = specOf(role, cast, random);
  if (!spec || random.chance(0.4)) return other;
  const names = Object.keys({ ...spec, ...other }).filter((name) => !(name in role.fixed));
  if (names.length === 0) return spec;
  const chosen = random.pick(names);
  const { [chosen]: _, ...rest } = spec;
  const value = other[chosen];
  return value === undefined ? rest : { ...rest, [chosen]: value };
}

function manifestOf({ ref, plural }: Role, spec: JsonObject): ObjectJson {
  const metadata = { name: ref.name, namespace: ref.namespace ?? '' };
  return { apiVersion: 'edgeline.dev/v1alpha1', kind: kinds[plural], metadata, spec };
}
