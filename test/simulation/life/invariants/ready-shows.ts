import { conditionOf } from '../intent.ts';
import { at } from '../json.ts';
import { USER } from '../perform.ts';
import { nameOf } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** A status does not say Ready of what, by its own words, carries no traffic. */
export const readyShows: AlwaysInvariant = {
  name: 'Ready agrees with the rest of the status',
  watch: (scene, say) => ({
    stored({ new: object, resource, user }) {
      if (!object || user === USER || resource !== 'sims') return;
      const ready = conditionOf(object, 'Ready');
      // Of a spec edited since nothing need be done yet.
      if (ready?.status !== 'True' || ready.generation !== object.metadata.generation) return;
      const incarnation = scene.intent.byUID(object.metadata.uid);
      if (!incarnation) return;
      const has = (...path: string[]) => at(object, ...path);
      const isWritten = (field: string) => has('status', 'applied', field) !== undefined;
      const lacks = [
        has('spec', 'activated') === true && isWritten('activated') && has('status', 'activated') === false && 'active',
        has('spec', 'gatewayRef') !== undefined &&
          isWritten('gateway') &&
          has('status', 'registered') === false &&
          'on a gateway',
      ].filter((one) => typeof one === 'string');
      if (lacks.length > 0)
        say(`${nameOf(incarnation)} says Ready, and that its SIM is not ${lacks.join(' and not ')}`);
    },
  }),
};
