import { textAt } from '../json.ts';
import { USER } from '../perform.ts';
import { RIVAL } from '../rivals.ts';
import { nameOf } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** From the look after the decision to the request it may take so long, where no process stands still. Milliseconds. */
const DECIDED = 20_000;
/** What a process has put on record it knows, so long after. Milliseconds. */
const KNOWN = 1000;

/**
 * A gateway that was there, and shown, before the first one of its name was asked for since a resource came is not that
 * resource's creation, whatever became of the request. Nor is one that its process had put on record for another resource.
 */
export const nameBefore: AlwaysInvariant = {
  name: 'what had the name before is nobody’s creation',
  watch(scene, say) {
    const { steps, setting } = scene.script;
    // A decision may be older than any look then.
    if (steps.some((step) => ['suspend', 'step clock', 'restore etcd', 'partition'].includes(step.what))) return {};
    const shownLate = setting.service?.shownAfterCreate ?? 0;
    /** When gateways were asked for, by their name, and since when who did so ran. */
    const asked = new Map<string, { readonly at: number; readonly runsSince: number }[]>();
    /** When which gateway was first on record as a resource's own, by its ID. */
    const recorded = new Map<string, number>();
    return {
      message(moment, { to, route, body, process }) {
        if (moment !== 'written' || to !== 'service' || route !== 'POST /appliance') return;
        const name = textAt(JSON.parse(body ?? '{}'), 'Appliance', 'Name') ?? '';
        const { startedAt: runsSince = Infinity } = scene.world.processes.find((one) => one.name === process) ?? {};
        asked.set(name, [...(asked.get(name) ?? []), { at: scene.world.now(), runsSince }]);
      },
      stored({ new: object, old, resource, user }) {
        if (!object || user === USER || user === RIVAL || resource !== 'mobilegateways') return;
        const id = textAt(object, 'status', 'id');
        if (id === undefined || textAt(old, 'status', 'id') === id) return;
        const recordedAt = recorded.get(id) ?? scene.world.now();
        recorded.set(id, recordedAt);
        const one = scene.intent.byUID(object.metadata.uid);
        const madeAt = scene.atService.madeAt(id);
        if (!one || one.isRestored || one.isTornOff || madeAt === undefined) return;
        if (one.versions.some(({ spec }) => spec['resourceID'] !== undefined)) return;
        if (scene.atService.mayHaveCreated(one.uid, id)) return;
        const name = scene.atService.pastOf('gateways', id, 0)[0]?.name ?? '';
        const since = one.createdAt - 1000;
        const first = asked.get(name)?.find(({ at }) => at >= since);
        if (first === undefined) return;
        const isByHand = scene.firstEdit('gateways', id, 0) === madeAt;
        const shownAt = madeAt + (isByHand ? 0 : shownLate);
        const isKnown = recordedAt >= first.runsSince && recordedAt < first.at - KNOWN;
        if (shownAt > first.at - DECIDED && !isKnown) return;
        say(`${nameOf(one)} takes ${id} for its own, which was there before it asked for one of that name`);
      },
    };
  },
};
