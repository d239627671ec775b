import { Finalizer } from '../../../../src/reconcile/finalizer.ts';
import type { Incarnation } from '../intent.ts';
import { at, listAt, same } from '../json.ts';
import type { Claim } from '../reading/claim.ts';
import { gatewayReadings } from '../reading/gateway.ts';
import { type FieldReading, simReadings } from '../reading/sim.ts';
import { siteReadings } from '../reading/site.ts';
import { isByOperator, nameOf } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** Before a field is first written on something that exists, `status.pending` names it, so that it is unset later. */
export const pendingFirst: AlwaysInvariant = {
  name: 'pending before the first write',
  watch(scene, say) {
    return {
      changed(change) {
        if (!isByOperator(change) || scene.cause?.isSecond) return;
        const moment = scene.cause?.writtenAt ?? scene.world.now();
        const { account } = change;
        for (const object of change.objects) {
          const { kind, before, after } = object;
          if (!before || !after) continue;
          if (kind === 'sims') check(simReadings, before, after, scene.ownership.simClaims(account, before, moment));
          else if (kind === 'gateways' && change.route.startsWith('PUT'))
            check(gatewayReadings, before, after, scene.ownership.gatewayClaims(account, before, moment));
          else if (kind === 'sites')
            check(siteReadings, before, after, scene.ownership.siteClaims(account, before, moment));
        }

        function check<V extends { readonly id: string }>(
          readings: readonly FieldReading<V>[],
          before: V,
          after: V,
          claims: readonly Claim[],
        ): void {
          for (const reading of readings) {
            if (same(reading.part(before), reading.part(after))) continue;
            const wanting = claims.filter(({ incarnation, versions, since }) =>
              versions.some(
                (version) =>
                  version.spec[reading.field] !== undefined && reading.holds(scene, incarnation, version, after, since),
              ),
            );
            // A resource that goes takes what it has out of service on its way.
            if (claims.some(({ isDeleting }) => isDeleting)) continue;
            const [first] = wanting;
            if (
              !first ||
              // One that had it before may unset it, to what another of the same SIM wants.
              claims.some(
                ({ incarnation }) =>
                  isNoted(incarnation.object, reading.applied) ||
                  isCreating(incarnation) ||
                  scene.atService.mayHaveCreated(incarnation.uid, after.id),
              )
            )
              continue;
            say(
              `${reading.field} of ${nameOf(first.incarnation)} is written (${change.route}) before its status names it in pending`,
            );
          }
        }
      },
    };
  },
};

/** Who left only the intent to create, in a crash or a backup, has no word of fields: all that it finds is its own. */
function isCreating({ object }: Incarnation): boolean {
  const isIntended = listAt(object, 'metadata', 'finalizers').includes(Finalizer.create);
  return isIntended && at(object, 'status', 'id') === undefined;
}

function isNoted(object: unknown, names: readonly string[]): boolean {
  const pending = listAt(object, 'status', 'pending').map((entry) => String(entry).split('/')[0] ?? '');
  return names.some((name) => pending.includes(name) || at(object, 'status', 'applied', name) !== undefined);
}
