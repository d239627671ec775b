import type { Views } from '../at-service.ts';
import { managedPlurals } from '../draw/vocabulary.ts';
import { conditionOf, type Incarnation, type Version } from '../intent.ts';
import { same, textAt } from '../json.ts';
import { USER } from '../perform.ts';
import { gatewayReadings } from '../reading/gateway.ts';
import { type FieldReading, isInSpec, simReadings } from '../reading/sim.ts';
import { siteReadings } from '../reading/site.ts';
import { nameOf, type Scene } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** What no list shows is read in turn, which takes so long at most with a few objects. Milliseconds. */
const UNNOTICED = 35 * 60_000;

/** A status never says that a generation of the spec is at the service before it was. */
export const readyTruth: AlwaysInvariant = {
  name: 'never Ready before it is so',
  watch(scene, say) {
    /** The generation each was last found to be right about. */
    const known = new Map<string, number>();
    return {
      stored({ new: object, old, resource, user }) {
        if (!object || user === USER || !managedPlurals.some((plural) => plural === resource)) return;
        const incarnation = scene.intent.byUID(object.metadata.uid);
        // A finalizer is put on what a backup said; only who writes a status says anything by it.
        if (!incarnation || (old && same(object['status'], old['status']))) return;
        const observed = Object(object['status'])['observedGeneration'];
        const { generation = 0 } = object.metadata;
        const before0 = Object(old?.['status'])['observedGeneration'];
        if (typeof observed === 'number' && observed > generation && observed !== before0) {
          say(`${nameOf(incarnation)}: observedGeneration is ${observed}, and its generation ${generation}`);
        }
        const [ready, synced] = [conditionOf(object, 'Ready'), conditionOf(object, 'Synced')];
        if (ready?.status !== 'True' || synced?.status !== 'True') return;
        const before = old && conditionOf(old, 'Synced');
        if (
          before?.status === 'True' &&
          before.generation === synced.generation &&
          known.get(incarnation.uid) === synced.generation
        )
          return;
        known.set(incarnation.uid, synced.generation);
        const version = incarnation.versions.findLast((one) => one.generation <= synced.generation);
        if (!version) return;
        for (const field of missed(scene, incarnation, version)) {
          say(
            `${nameOf(incarnation)} says Ready and Synced for generation ${synced.generation}, but ${field} was never so at the service since`,
          );
        }
      },
    };
  },
};

function missed(scene: Scene, incarnation: Incarnation, version: Version): string[] {
  const id = textAt(incarnation.object, 'status', 'id') ?? textAt(incarnation.object, 'status', 'siteID');
  if (id === undefined) return [];
  switch (incarnation.plural) {
    case 'sims':
      return neverHeld(scene, incarnation, version, simReadings, 'sims', id);
    case 'mobilegateways':
      return neverHeld(scene, incarnation, version, gatewayReadings, 'gateways', id);
    case 'webaccelsites':
      return neverHeld(scene, incarnation, version, siteReadings, 'sites', id);
    default:
      return [];
  }
}

function neverHeld<K extends keyof Views>(
  scene: Scene,
  incarnation: Incarnation,
  version: Version,
  readings: readonly FieldReading<Views[K]>[],
  kind: K,
  id: string,
): string[] {
  // What people changed just before may not have been noticed yet: then what counts is what was noticed last.
  const edited = scene.firstEdit(kind, id, version.at - UNNOTICED) ?? version.at;
  const from = edited <= version.at ? edited - 1 : version.at;
  const past = scene.atService.pastOf(kind, id, from);
  const since = version.at;
  return readings.flatMap((reading) => {
    const { field } = reading;
    if (!isInSpec(version, field)) return [];
    return past.some((view) => reading.holds(scene, incarnation, version, view, since)) ? [] : [field];
  });
}
