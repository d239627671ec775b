import { textAt } from '../json.ts';
import { USER } from '../perform.ts';
import { nameOf } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

const lists: Readonly<Record<string, string>> = {
  sims: 'GET /commonserviceitem',
  mobilegateways: 'GET /appliance',
};

/** Who asks by `reconcile-at` for a look gets one: its value is only noted once a list was read that began after it. */
export const readAnew: AlwaysInvariant = {
  name: 'reconcile-at reads anew',
  watch(scene, say) {
    /** When each process last asked for a list, by process and route. */
    const sentAt = new Map<string, number>();
    return {
      message(moment, { route, process }) {
        if (moment === 'written' && Object.values(lists).includes(route))
          sentAt.set(`${process} ${route}`, scene.world.now());
      },
      stored({ new: object, old, resource, user }) {
        const route = lists[resource];
        if (!object || route === undefined || user === USER) return;
        const handled = textAt(object, 'status', 'lastHandledReconcileAt');
        if (handled === undefined || handled === textAt(old, 'status', 'lastHandledReconcileAt')) return;
        // What has nothing at the service, and lacks what is needed to make it, has nothing to be looked at.
        if (textAt(object, 'status', 'id') === undefined) return;
        const incarnation = scene.intent.byUID(object.metadata.uid);
        const asked = incarnation?.versions.find(
          ({ annotations }) => annotations['edgeline.dev/reconcile-at'] === handled,
        );
        if (!incarnation || !asked || incarnation.isRestored) return;
        const readAt = Math.max(
          ...scene.world.processes.map(({ name }) => sentAt.get(`${name} ${route}`) ?? Number.NEGATIVE_INFINITY),
        );
        if (readAt >= asked.at) return;
        const age = ((scene.world.now() - readAt) / 1000).toFixed(1);
        say(`${nameOf(incarnation)} notes reconcile-at ${handled} as handled, and the last ${route} is ${age} s old`);
      },
    };
  },
};
