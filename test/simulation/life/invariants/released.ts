import type { SimView } from '../../../../src/shadow/service/types.ts';
import { textAt } from '../json.ts';
import { claims, idsOf } from '../reading/claim.ts';
import { isByOperator, nameOf, type Scene } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** So long it takes until a gateway has heard of what its Sims did. Milliseconds. */
const HEARD = 60_000;

/**
 * The deletion of a gateway takes a SIM off it only where no Sim asks for the gateway, whatever its annotation says; and
 * not before the gateway's routes are gone.
 */
export const released: AlwaysInvariant = {
  name: 'SIMs are released in order',
  watch: (scene, say) => ({
    changed(change) {
      if (!isByOperator(change) || scene.cause?.isSecond) return;
      const moment = scene.cause?.writtenAt ?? scene.world.now();
      for (const object of change.objects) {
        if (object.kind !== 'sims') continue;
        const { before, after } = object;
        const id = before?.gatewayID;
        if (!before || !after || id === null || id === undefined || after.gatewayID !== null) continue;
        const meant = claims(scene, 'sims', change.account, moment).filter(({ versions }) =>
          versions.some(({ spec }) => spec['iccid'] === before.iccid),
        );
        const asking = meant.find((claim) => asksFor(scene, claim, before, id));
        if (asking) {
          say(
            `SIM ${before.id} is taken off gateway ${id}, and ${nameOf(asking.incarnation)} asks for it all the while`,
          );
        }
        const gateway = scene.atService.pastOf('gateways', id, moment)[0];
        const isRouted = gateway?.simRoutes.some(({ simID }) => simID === before.id);
        if (meant.length === 0 && isRouted) {
          say(`SIM ${before.id} is taken off gateway ${id}, which still has a route to it`);
        }
      }
    },
  }),
};

/** It asked for this gateway alone, was there for a while, and was not to go. */
function asksFor(
  scene: Scene,
  { incarnation, versions, since, isDeleting }: ReturnType<typeof claims>[number],
  view: SimView,
  gatewayID: string,
): boolean {
  const long = since - HEARD;
  if (isDeleting || incarnation.createdAt > long || incarnation.ids.at(-1) !== view.id) return false;
  if (scene.intent.versionsOf(incarnation, long).length > versions.length) return false;
  if (scene.atService.pastOf('sims', view.id, long).some((past) => past.gatewayID !== gatewayID)) return false;
  if (textAt(incarnation.object, 'status', 'gatewayID') !== gatewayID) return false;
  return versions.every(({ spec }) => {
    const ids = idsOf(scene, 'mobilegateways', incarnation.namespace, textAt(spec, 'gatewayRef', 'name') ?? '', 0);
    return ids.size === 1 && ids.has(gatewayID);
  });
}
