import { textAt } from '../json.ts';
import { USER } from '../perform.ts';
import { nameOf } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** What a look is: a list, or of sites, of whose settings lists show little, a reading of its own. */
const looks: Readonly<Record<string, string>> = {
  sims: 'GET /commonserviceitem',
  mobilegateways: 'GET /appliance',
  webaccelsites: 'GET webaccel/site/:id',
};

/** Who asks by `reconcile-at` for a look gets one: its value is only noted once a look was taken that began after it. */
export const readAnew: AlwaysInvariant = {
  name: 'reconcile-at reads anew',
  watch(scene, say) {
    /** When each process last took a look, by process and route, with the ID of what was read by itself. */
    const sentAt = new Map<string, number>();
    return {
      message(moment, { route, process, target }) {
        if (moment === 'written' && Object.values(looks).includes(route))
          sentAt.set(`${process} ${lookAt(route, /site\/(\d+)/.exec(target)?.[1])}`, scene.world.now());
      },
      stored({ new: object, old, resource, user }) {
        const route = looks[resource];
        if (!object || route === undefined || user === USER) return;
        const handled = textAt(object, 'status', 'lastHandledReconcileAt');
        if (handled === undefined || handled === textAt(old, 'status', 'lastHandledReconcileAt')) return;
        // What has nothing at the service, and lacks what is needed to make it, has nothing to be looked at.
        const id = textAt(object, 'status', 'id');
        if (id === undefined) return;
        const incarnation = scene.intent.byUID(object.metadata.uid);
        const asked = incarnation?.versions.find(
          ({ annotations }) => annotations['edgeline.dev/reconcile-at'] === handled,
        );
        if (!incarnation || !asked || incarnation.isRestored) return;
        const readAt = Math.max(
          ...scene.world.processes.map(
            ({ name }) => sentAt.get(`${name} ${lookAt(route, id)}`) ?? Number.NEGATIVE_INFINITY,
          ),
        );
        if (readAt >= asked.at) return;
        const age = ((scene.world.now() - readAt) / 1000).toFixed(1);
        say(`${nameOf(incarnation)} notes reconcile-at ${handled} as handled, and the last ${route} is ${age} s old`);
      },
    };
  },
};

function lookAt(route: string, id: string | undefined): string {
  return route.endsWith('/:id') ? `${route} ${id}` : route;
}
