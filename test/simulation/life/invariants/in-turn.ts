import type { Incarnation } from '../intent.ts';
import { listAt, textAt } from '../json.ts';
import { nameOf, type Scene } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** The shortest time between two turns of a resource is longer. Milliseconds. */
const SPAN = 20_000;
/** One that had to wait for its turn, and the next. */
const MOST = 2;
/** An annotation is acted on within so long, where the account can be used. Milliseconds. */
const ASKED = 60_000;

/** Carriers that no spec names are only told, so they are read in turn, and not at every look at their Sim. */
export const inTurn: AlwaysInvariant = {
  name: 'what is only told is read in turn',
  watch(scene, say) {
    const readAt = new Map<string, number[]>();
    return {
      message(moment, { route, target, process }, answer) {
        if (route !== 'GET /commonserviceitem/:id/sim/network_operator_config') return;
        // A reading that fails is tried again, and those of a SIM that is still being created do.
        if (moment !== 'answered' || answer?.status !== 200) return;
        const now = scene.world.now();
        if (scene.calmSince === undefined || now - scene.calmSince < ASKED) return;
        const id = /commonserviceitem\/(\d+)/.exec(target)?.[1] ?? '';
        const key = `${process} ${id}`;
        const readers = scene.intent.alive('sims', now).filter(({ object }) => textAt(object, 'status', 'id') === id);
        const [only] = readers;
        if (!only || readers.length > 1 || isAskedFor(scene, only) || mayHaveWritten(only)) return;
        const lately = [...(readAt.get(key) ?? []).filter((at) => at > now - SPAN), now];
        readAt.set(key, lately);
        if (lately.length <= MOST) return;
        say(`${process} reads the carriers of ${nameOf(only)} for the ${lately.length}th time within 20 s`);
      },
    };
  },
};

/**
 * They are not only told: a spec names or named them, or they may have been written. Of a SIM that was made and not finished
 * all is looked at until it is known to be as it should be.
 */
function mayHaveWritten({ versions, object }: Incarnation): boolean {
  const isPending = listAt(object, 'status', 'pending').some((entry) => String(entry).split('/')[0] === 'carriers');
  const isNamed = versions.some(({ spec }) => spec['carriers'] !== undefined);
  return isNamed || isPending || listAt(object, 'status', 'applied', 'carriers').length > 0;
}

/** A person has asked for a look, and it is not over. */
function isAskedFor(scene: Scene, incarnation: Incarnation): boolean {
  const versions = scene.intent.versionsOf(incarnation, scene.world.now() - ASKED);
  const asked = new Set(versions.map(({ annotations }) => annotations['edgeline.dev/reconcile-at']));
  return asked.size > 1 || !asked.has(textAt(incarnation.object, 'status', 'lastHandledReconcileAt'));
}
