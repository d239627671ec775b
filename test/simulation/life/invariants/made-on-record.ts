import { isByOperator, nameOf } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** Who is to have an address there asks, too, as soon as a list shows the gateway. */
const ASKED_FOR_SIMS = 'GET /appliance/:id/mobilegateway/sims';

/**
 * A gateway is on record with its ID as soon as the service has answered: whoever made it asks nothing more of it before,
 * for a person may rename it, and then nothing but its ID leads to it.
 */
export const madeOnRecord: AlwaysInvariant = {
  name: 'on record once it is made',
  watch(scene, say) {
    /** The IDs of gateways, by the request that made them. */
    const made = new Map<number, string>();
    /** Which process was told of a gateway that it has made. */
    const told = new Map<string, string>();
    /** The requests that are answered as they should be. */
    const sound = new Set<number>();
    return {
      arrived({ route, fault }) {
        if (route === 'POST /appliance' && fault === undefined && scene.cause) sound.add(scene.cause.message.serial);
      },
      changed(change) {
        const { cause } = scene;
        if (!isByOperator(change) || !cause || cause.isSecond) return;
        for (const { kind, id, before, after } of change.objects)
          if (kind === 'gateways' && !before && after) made.set(cause.message.serial, id);
      },
      message(moment, { serial, to, verb, target, process, route }, answer) {
        if (moment === 'begun' && route === 'list sims') {
          // A process that starts anew knows of nothing.
          for (const [id, by] of told) if (by === process) told.delete(id);
        }
        const id = made.get(serial);
        if (moment === 'answered' && id !== undefined && sound.has(serial) && answer?.status === 202)
          told.set(id, process);
        if (moment !== 'begun' || to !== 'service' || verb === 'DELETE' || route === ASKED_FOR_SIMS) return;
        const [, asked = ''] = /\/appliance\/(\d+)/.exec(target) ?? [];
        if (told.get(asked) !== process || scene.intent.all.some(({ ids }) => ids.includes(asked))) return;
        told.delete(asked);
        const askers = scene.intent.all.filter(({ uid }) => scene.atService.mayHaveCreated(uid, asked));
        if (askers.length === 0 || askers.some(({ deletedAt, goneAt }) => (deletedAt ?? goneAt) !== undefined)) return;
        say(`${process} sends ${verb} ${target} before the ID is on record for ${askers.map(nameOf).join(' or ')}`);
      },
    };
  },
};
