import { same } from '../json.ts';
import { isByOperator } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** People may change what the operator read a moment ago. Milliseconds. */
const RACE = 75_000;
/** What the service says to whoever deletes a gateway that is not stopped. */
const CONFLICT = 409;

/**
 * A gateway is told nothing before it is there, but that it is to go, and not even that while it is being stopped; and no
 * static route is sent before the interface that it leads through has taken effect.
 */
export const gatewayOrder: AlwaysInvariant = {
  name: 'a gateway is ready for what is sent',
  watch: (scene, say) => ({
    arrived({ from, method, route, outcome, ids: [id = ''] }) {
      if (method === 'GET' || !route.includes(' /appliance/:id')) return;
      const view = scene.atService.now('gateways', id);
      if (route === 'DELETE /appliance/:id') {
        const isKnown = (scene.lastEdit('gateways', id) ?? Infinity) < (scene.cause?.writtenAt ?? 0) - RACE;
        if (view?.instanceStatus === 'cleaning' && isKnown && outcome === CONFLICT)
          say(`${from} deletes gateway ${id}, which is still being stopped`);
        return;
      }
      // Only a person puts a SIM there so early, and who took the SIM lets go of it.
      if (route === 'DELETE /appliance/:id/mobilegateway/sims/:id') return;
      if (!view || scene.world.epoch + scene.world.now() >= view.availableAt) return;
      say(`${from} sends ${route} of gateway ${id}, which is still being prepared`);
    },
    changed(change) {
      if (!isByOperator(change) || scene.cause?.isSecond || change.route !== 'PUT /appliance/:id') return;
      for (const object of change.objects) {
        if (object.kind !== 'gateways' || !object.before || !object.after) continue;
        const { before, after } = object;
        const edited = scene.lastEdit('gateways', after.id);
        if (edited !== undefined && edited > (scene.cause?.writtenAt ?? 0) - RACE) continue;
        const routes = after.pending?.staticRoutes ?? [];
        const isNew = routes.some((route) => !before.pending?.staticRoutes.some((one) => same(one, route)));
        if (!isNew || (before.applied?.privateInterface ?? null) !== null) continue;
        say(`${change.from} sends static routes of gateway ${after.id}, whose private interface has not taken effect`);
      }
    },
  }),
};
