import { isGuarded, isNearTurn, isOver, limitOf } from '../data-limit.ts';
import { conditionOf, type Incarnation } from '../intent.ts';
import { at, textAt } from '../json.ts';
import { isByOperator, nameOf, type Scene } from '../scene.ts';
import { accountOf, commonReasons, idOf, live, wanted } from './diagnosis.ts';
import type { AlwaysInvariant } from './invariant.ts';
import { tokenNow } from './noticed.ts';

/** What a list shows is done something about so soon, if nothing is in the way. Milliseconds. */
const SOON = 5000;

/** In quiet times, a SIM that a list shows to be over its limit is inactive five seconds later. */
export const dataLimit: AlwaysInvariant = {
  name: 'a SIM over its limit is inactive a moment after the list that shows it',
  watch(scene, say) {
    /** By serial of a list: the SIMs over their limits when it was answered. */
    const shown = new Map<number, readonly Incarnation[]>();
    /** By resource: until when it is to be inactive. */
    const due = new Map<Incarnation, number>();
    const over = () => live(scene, 'sims').filter((incarnation) => isToStop(scene, incarnation));
    return {
      changed(change) {
        if (!isByOperator(change) || scene.cause?.isSecond) return;
        const moment = scene.cause?.writtenAt ?? scene.world.now();
        for (const { kind, id, before, after } of change.objects) {
          if (kind !== 'sims' || !before || !after || before.activated || !after.activated) continue;
          const [claim, ...others] = scene.ownership.simClaims(change.account, before, moment);
          if (!claim || others.length > 0 || isNearTurn(scene, moment)) continue;
          const recorded = at(claim.incarnation.object, 'status', 'dataLimit', 'bytes');
          const isForgotten = claim.versions.every(
            (version) => isGuarded(version) && Number(recorded ?? 0) > (limitOf(version) ?? Infinity),
          );
          if (isForgotten)
            say(
              `${nameOf(claim.incarnation)} activates SIM ${id}, which is over its limit as it has on record of this month`,
            );
        }
      },
      arrived({ method, route }) {
        const { cause, token } = scene;
        if (scene.calmSince === undefined || !cause || method !== 'GET' || route !== 'GET /commonserviceitem') return;
        // Each token has lists of its own.
        const theirs = over().filter((incarnation) => tokenNow(scene, incarnation) === token);
        if (theirs.length > 0) shown.set(cause.message.serial, theirs);
      },
      message(moment, { serial, process: by }, answer) {
        const now = scene.world.now();
        for (const [incarnation, until] of due) {
          if (isToStop(scene, incarnation) && now <= until) continue;
          due.delete(incarnation);
          if (!isToStop(scene, incarnation)) continue;
          say(`${nameOf(incarnation)} is over its limit, and active ${SOON / 1000} s after a list that ${by} took`);
        }
        if (moment !== 'answered') return;
        for (const incarnation of answer?.status === 200 ? (shown.get(serial) ?? []) : []) {
          due.set(incarnation, due.get(incarnation) ?? now + SOON);
        }
        shown.delete(serial);
      },
    };
  },
};

/** Whether the SIM of a resource is over its limit and active, and nothing is in the way of its deactivation. */
function isToStop(scene: Scene, incarnation: Incarnation): boolean {
  const version = wanted(incarnation);
  const id = idOf(incarnation);
  const view = id === undefined ? undefined : scene.atService.now('sims', id);
  if (!view?.activated || !isGuarded(version) || !isOver(scene, version, view, scene.world.now())) return false;
  const { object, deletedAt, uid } = incarnation;
  const isAsked = textAt(version.spec, 'managementPolicy')?.startsWith('Approve') === true;
  const isSettled = conditionOf(object, 'Ready')?.generation === object.metadata.generation;
  if (deletedAt !== undefined || isAsked || !isSettled || commonReasons(scene, incarnation).size > 0) return false;
  // Of two accounts with one token, each looks at credentials that are taken again in its time.
  const account = accountOf(scene, incarnation);
  if (account && conditionOf(account.object, 'Ready')?.status !== 'True') return false;
  // Whose it is, or whether somebody fights for it, is another matter.
  if (conditionOf(object, 'Synced')?.reason === 'Contested') return false;
  return !live(scene, 'sims').some((one) => one.uid !== uid && one.ids.includes(view.id));
}
