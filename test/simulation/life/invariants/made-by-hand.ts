import { textAt } from '../json.ts';
import { USER } from '../perform.ts';
import { RIVAL } from '../rivals.ts';
import { nameOf } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** By then what was asked for has been made, if ever it is, by any clock. Milliseconds. */
const ARRIVED = 5 * 60_000;

/** A gateway that somebody made by hand long after one of its name was asked for is taken only by who names its ID. */
export const madeByHand: AlwaysInvariant = {
  name: 'made by hand is nobody’s own',
  watch(scene, say) {
    /** When gateways were asked for, by their name. */
    const asked = new Map<string, number[]>();
    return {
      message(moment, { to, route, body }) {
        if (moment !== 'written' || to !== 'service' || route !== 'POST /appliance') return;
        const name = textAt(JSON.parse(body ?? '{}'), 'Appliance', 'Name') ?? '';
        asked.set(name, [...(asked.get(name) ?? []), scene.world.now()]);
      },
      stored({ new: object, old, resource, user }) {
        if (!object || user === USER || user === RIVAL || resource !== 'mobilegateways') return;
        const id = textAt(object, 'status', 'id');
        if (id === undefined || textAt(old, 'status', 'id') === id) return;
        const one = scene.intent.byUID(object.metadata.uid);
        const madeAt = scene.atService.madeAt(id);
        if (!one || one.isRestored || madeAt === undefined || scene.firstEdit('gateways', id, 0) !== madeAt) return;
        if (one.versions.some(({ spec }) => spec['resourceID'] !== undefined)) return;
        const name = scene.atService.pastOf('gateways', id, 0)[0]?.name ?? '';
        // Who asks again does not know when that was made which it asked for at first.
        const [first = Number.NEGATIVE_INFINITY, ...again] = asked.get(name) ?? [];
        if (again.length === 0 && madeAt > first + ARRIVED)
          say(`${nameOf(one)} takes ${id}, which somebody made by hand long after it had asked for one`);
      },
    };
  },
};
