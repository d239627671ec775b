import type { SimView } from '../../../../src/shadow/service/types.ts';
import { conditionOf, type Incarnation, type Version } from '../intent.ts';
import { at } from '../json.ts';
import { type FieldReading, simReadings } from '../reading/sim.ts';
import { isByOperator, nameOf } from '../scene.ts';
import { wanted } from './diagnosis.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** Without these a SIM carries no traffic. */
const vital = simReadings.filter(({ field }) => ['activated', 'gatewayRef', 'ipAddress'].includes(field));

/** Ready is not said beside what denies it: neither beside what the same status shows, nor against one's own calls. */
export const readyBesideFacts: AlwaysInvariant = {
  name: 'Ready is not said against what is known',
  watch(scene, say) {
    /** By SIM: since when it lacks what, by a call of the operator that was answered. */
    const taken = new Map<
      string,
      { readonly process: string; readonly serial: number; answeredAt: number | undefined }
    >();
    const begunAt = new Map<number, number>();
    return {
      message(moment, { serial, to, route }) {
        const now = scene.world.now();
        if (moment === 'begun' && to === 'kubernetes' && route === 'patch sims/status') begunAt.set(serial, now);
        if (moment !== 'answered' || to !== 'service') return;
        for (const one of taken.values()) if (one.serial === serial) one.answeredAt = now;
      },
      changed(change) {
        const { cause } = scene;
        for (const { kind, id, before, after } of change.objects) {
          if (kind !== 'sims') continue;
          const isLess = before && after && vital.some((reading) => lost(reading, before, after));
          if (isLess && isByOperator(change) && cause && !cause.isSecond) {
            taken.set(id, { process: change.from, serial: cause.message.serial, answeredAt: undefined });
          } else if (!isByOperator(change)) taken.delete(id);
        }
      },
      stored({ new: object, resource, user }) {
        if (!object || resource !== 'sims') return;
        const incarnation = scene.intent.byUID(object.metadata.uid);
        const { cause } = scene;
        // A status from a backup says what was so then, until all is carried out anew.
        if (
          !incarnation ||
          incarnation.isRestored ||
          cause?.message.process !== user ||
          cause.message.route !== 'patch sims/status'
        )
          return;
        const ready = conditionOf(object, 'Ready');
        const version = ready?.status === 'True' ? versionOf(incarnation, ready.generation) : undefined;
        if (!version) return;
        // What is no longer asked for may go while the rest still waits, also if somebody asks for it again meanwhile.
        const { spec } = wanted(incarnation);
        const between = incarnation.versions.filter(({ generation }) => generation > version.generation);
        if (spec['managementPolicy'] === 'Observe' || version.spec['managementPolicy'] === 'Observe') return;
        const isMeant = (field: string) =>
          [version.spec, spec, ...between.map((one) => one.spec)].every(
            (one) => one[field] !== undefined && one[field] !== false,
          );
        const shown = (name: string) => at(object, 'status', name);
        const denied = [
          isMeant('activated') && shown('activated') === false && 'it is not active',
          isMeant('gatewayRef') && shown('registered') === false && 'it is on no gateway',
          isMeant('ipAddress') && shown('id') !== undefined && shown('ip') === undefined && 'it has no address',
        ].find((one) => one !== false);
        if (denied !== undefined) return say(`${nameOf(incarnation)} says Ready, and its status shows that ${denied}`);
        const id = incarnation.ids.at(-1);
        const view = id === undefined ? undefined : scene.atService.now('sims', id);
        const call = id === undefined ? undefined : taken.get(id);
        if (!view || call?.answeredAt === undefined || call.process !== user) return;
        // A process that began later does not know it, and of a paused resource it reads nothing.
        const { answeredAt, process } = call;
        if (scene.world.processes.some(({ name, startedAt }) => name === process && startedAt > answeredAt)) return;
        if ((begunAt.get(cause.message.serial) ?? 0) <= call.answeredAt) return;
        const missed = vital.find(({ field, isUnset }) => isMeant(field) && isUnset(view, view, incarnation.name));
        if (missed)
          say(`${nameOf(incarnation)} says Ready though ${user} itself took its ${missed.field} away a moment ago`);
      },
    };
  },
};

function versionOf({ versions }: Incarnation, generation: number): Version | undefined {
  return versions.findLast((one) => one.generation <= generation);
}

function lost({ part, isUnset }: FieldReading<SimView>, before: SimView, after: SimView): boolean {
  return part(before) !== part(after) && isUnset(after, before, '');
}
