import { conditionOf, type Incarnation } from '../intent.ts';
import { textAt } from '../json.ts';
import { USER } from '../perform.ts';
import { isByOperator, nameOf, type Scene } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** What arrives so long after it was sent was given up by then: it may be anybody's. Milliseconds. */
const GIVEN_UP = 30_000;

/**
 * What was made at the service for one resource alone is that resource's own, whichever of its requests made it, and whatever
 * process looks for it.
 */
export const itsOwn: AlwaysInvariant = {
  name: 'what was made for it is its own',
  watch(scene, say) {
    /** Made in time, by what the operator asked for. */
    const made = new Set<string>();

    /** The one object at the service that the resource may have, if it was made for it. */
    function madeFor(incarnation: Incarnation, kind: 'sims' | 'gateways'): string | undefined {
      const found = alike(scene, incarnation, kind);
      const [id, ...others] = found;
      if (id === undefined || others.length > 0 || !made.has(id) || scene.atService.isStray(id)) return undefined;
      const creators = scene.intent.all.filter(({ uid }) => scene.atService.mayHaveCreated(uid, id));
      const isAlone = creators.length === 1 && creators[0] === incarnation;
      return isAlone && scene.lastEdit(kind, id) === undefined ? id : undefined;
    }

    return {
      changed(change) {
        const isInTime = scene.cause && scene.world.now() - scene.cause.writtenAt < GIVEN_UP;
        if (!isByOperator(change) || !isInTime || scene.cause?.isSecond) return;
        for (const { id, before, after } of change.objects) if (!before && after) made.add(id);
      },
      stored({ new: object, resource, user }) {
        if (!object || user === USER || (resource !== 'sims' && resource !== 'mobilegateways')) return;
        const incarnation = scene.intent.byUID(object.metadata.uid);
        const isTold =
          textAt(object, 'status', 'ownership') === 'Adopted' ||
          conditionOf(object, 'Ready')?.reason === 'CreationAmbiguous';
        if (!isTold || !incarnation || incarnation.isRestored || incarnation.isTornOff) return;
        const id = madeFor(incarnation, resource === 'sims' ? 'sims' : 'gateways');
        const isNamed = incarnation.versions.some(({ spec }) => spec['resourceID'] !== undefined);
        if (id !== undefined && !isNamed)
          say(`${nameOf(incarnation)} does not take ${id} for its own, and it was made for it alone`);
      },
    };
  },
};

/** The IDs of what a resource may be about, in all accounts. */
function alike(scene: Scene, { name, versions }: Incarnation, kind: 'sims' | 'gateways'): string[] {
  const accounts = scene.script.setting.credentials.filter(({ sameAs }) => sameAs === undefined);
  return accounts.flatMap((account) => {
    const { sims, gateways } = scene.world.service.world(account.name);
    return kind === 'sims'
      ? [...sims.values()]
          .filter(({ iccid }) => versions.some(({ spec }) => spec['iccid'] === iccid))
          .map(({ id }) => id)
      : [...gateways.values()]
          .filter((one) => versions.some(({ spec }) => one.name === (textAt(spec, 'displayName') ?? name)))
          .map(({ id }) => id);
  });
}
