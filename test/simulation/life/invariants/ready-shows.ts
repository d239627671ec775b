import { conditionOf } from '../intent.ts';
import { at } from '../json.ts';
import { USER } from '../perform.ts';
import { nameOf } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

interface Vital {
  /** As `status.applied` names it, where that is another name. */
  readonly applied?: string;
  readonly isThere: (status: unknown) => boolean;
}

/** What a resource must have to carry traffic, by kind and field. */
const vital: Readonly<Record<string, Readonly<Record<string, Vital>>>> = {
  sims: {
    activated: { isThere: (status) => at(status, 'activated') === true },
    gatewayRef: { applied: 'gateway', isThere: (status) => at(status, 'registered') === true },
    ipAddress: { isThere: (status) => at(status, 'ip') !== undefined },
  },
  mobilegateways: {
    privateInterface: { isThere: (status) => at(status, 'settings', 'privateInterface') !== undefined },
    internetConnection: { isThere: (status) => at(status, 'settings', 'internetConnection') === true },
  },
};

/** A status does not say Ready of what, by its own words, carries no traffic. */
export const readyShows: AlwaysInvariant = {
  name: 'Ready agrees with the rest of the status',
  watch: (scene, say) => ({
    stored({ new: object, resource, user }) {
      const fields = user === USER ? undefined : vital[resource];
      if (!object || !fields) return;
      const ready = conditionOf(object, 'Ready');
      // Of a spec edited since nothing need be done yet.
      if (ready?.status !== 'True' || ready.generation !== object.metadata.generation) return;
      const incarnation = scene.intent.byUID(object.metadata.uid);
      if (!incarnation) return;
      const lacks = Object.entries(fields).flatMap(([field, { applied = field, isThere }]) => {
        const isWanted = at(object, 'spec', field) !== undefined && at(object, 'spec', field) !== false;
        const isWritten = at(object, 'status', 'applied', applied) !== undefined;
        return isWanted && isWritten && !isThere(object['status']) ? [field] : [];
      });
      if (lacks.length > 0) say(`${nameOf(incarnation)} says Ready, and shows that ${lacks.join(' and ')} is not so`);
    },
  }),
};
