import type { SimView } from '../../../../src/shadow/service/types.ts';
import type { Incarnation, Version } from '../intent.ts';
import { textAt } from '../json.ts';
import { isByOperator, nameOf, type Scene } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** Lists tell of it by then. Milliseconds. */
const LISTED = 120_000;

/** A SIM is not taken off its gateway for another on which a SIM has its address, and keeps it. */
export const movesInVain: AlwaysInvariant = {
  name: 'no SIM moves to an address that is taken and kept',
  watch: (scene, say) => ({
    changed(change) {
      if (!isByOperator(change) || scene.cause?.isSecond) return;
      const moment = scene.cause?.writtenAt ?? scene.world.now();
      for (const { kind, before, after } of change.objects) {
        if (kind !== 'sims' || !before || !after || before.gatewayID === null || after.gatewayID !== null) continue;
        const [claim, ...others] = scene.ownership.simClaims(change.account, before, moment);
        if (!claim || others.length > 0 || claim.isDeleting) continue;
        const place = onePlace(scene, claim.incarnation, claim.versions);
        if (!place || place.gatewayID === before.gatewayID) continue;
        const known = scene.sight.since(moment) - LISTED;
        const holder = [...scene.world.service.world(change.account).sims.values()].find(
          (one) => one.id !== before.id && one.gatewayID === place.gatewayID && one.ip === place.ip,
        );
        if (holder && keepsItsPlace({ scene, account: change.account, moment, known }, holder.id, place))
          say(
            `${nameOf(claim.incarnation)} leaves its gateway for ${place.ip} on another, where SIM ${holder.id} has it`,
          );
      }
    },
  }),
};

interface Place {
  readonly gatewayID: string;
  readonly ip: string;
}

/** Where a Sim is to be by all of these versions of its spec. */
function onePlace(scene: Scene, incarnation: Incarnation, versions: readonly Version[]): Place | undefined {
  const [place, ...others] = versions.map((version) => askedBy(scene, incarnation, version));
  return place && others.every((one) => one?.ip === place.ip && one.gatewayID === place.gatewayID) ? place : undefined;
}

function askedBy(scene: Scene, { namespace }: Incarnation, { spec }: Version): Place | undefined {
  const ip = textAt(spec, 'ipAddress');
  const gateway = scene.intent.named('mobilegateways', namespace, textAt(spec, 'gatewayRef', 'name') ?? '').at(-1);
  const gatewayID = gateway?.goneAt === undefined ? gateway?.ids.at(-1) : undefined;
  return ip === undefined || gatewayID === undefined ? undefined : { ip, gatewayID };
}

interface Moment {
  readonly scene: Scene;
  readonly account: string;
  readonly moment: number;
  /** What happened before is known to the operator. */
  readonly known: number;
}

/** One Sim alone looks after it, and has wanted just this for so long that it is known; nobody moved it there a moment ago. */
function keepsItsPlace({ scene, account, moment, known }: Moment, id: string, place: Place): boolean {
  const past: readonly SimView[] = scene.atService.pastOf('sims', id, known);
  if (!past.every(({ ip, gatewayID }) => ip === place.ip && gatewayID === place.gatewayID)) return false;
  const view = past.at(-1);
  const [claim, ...others] = view ? scene.ownership.simClaims(account, view, moment) : [];
  if (!claim || others.length > 0 || claim.isDeleting) return false;
  const wanted = onePlace(scene, claim.incarnation, scene.intent.versionsOf(claim.incarnation, known));
  return wanted?.ip === place.ip && wanted.gatewayID === place.gatewayID;
}
