import type { Incarnation } from '../intent.ts';
import { textAt } from '../json.ts';
import { credentialsOf, isByOperator, type Scene } from '../scene.ts';
import { accountOf, live, secretNow } from './diagnosis.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** A list that lacks much is taken again first. Milliseconds. */
const SOON = 20_000;

/** In quiet times, what the next list lacks is looked for at once, and not only in its turn. */
export const noticed: AlwaysInvariant = {
  name: 'what is gone is noticed with the next list',
  watch(scene, say) {
    /** SIMs that people removed in quiet times, and until when they are to be looked for once a list was taken. */
    const missing = new Map<string, number | undefined>();
    const writtenAt = new Map<number, number>();
    const tokens = new Map<number, string | undefined>();
    const removedAt = new Map<string, number>();
    const ownersOf = (id: string) => live(scene, 'sims').filter(({ object }) => textAt(object, 'status', 'id') === id);
    /** Whether a list with this token is one that a resource goes by which has the SIM: each token has its own. */
    const isTheirs = (id: string, token: string | undefined) =>
      ownersOf(id).some((one) => tokenNow(scene, one) === token);
    return {
      arrived() {
        if (missing.size > 0 && scene.cause) tokens.set(scene.cause.message.serial, scene.token);
      },
      changed(change) {
        if (isByOperator(change) || scene.calmSince === undefined) return;
        for (const { kind, id, before, after } of change.objects) {
          if (kind !== 'sims' || !before || after || ownersOf(id).length === 0) continue;
          missing.set(id, undefined);
          removedAt.set(id, scene.world.now());
        }
      },
      message(moment, { serial, verb, route, target, process }, answer) {
        if (missing.size === 0) return;
        const now = scene.world.now();
        if (moment === 'begun') {
          for (const id of missing.keys()) if (target.includes(`/${id}`)) missing.delete(id);
        }
        for (const [id, until] of missing) {
          if (until === undefined || now <= until) continue;
          missing.delete(id);
          if (ownersOf(id).length > 0)
            say(`SIM ${id} was removed, and ${process} does not look for it ${SOON / 1000} s after a list without it`);
        }
        if (route !== 'GET /commonserviceitem' || verb !== 'GET') return;
        if (moment === 'written') writtenAt.set(serial, now);
        if (moment !== 'answered' || answer?.status !== 200) return;
        for (const [id, until] of missing) {
          const left = writtenAt.get(serial) ?? 0;
          const isLater = left > (removedAt.get(id) ?? Infinity);
          if (until === undefined && isLater && isTheirs(id, tokens.get(serial))) missing.set(id, now + SOON);
        }
      },
    };
  },
};

/** The access token that a resource's account has now. */
export function tokenNow(scene: Scene, incarnation: Incarnation): string | undefined {
  const account = accountOf(scene, incarnation);
  if (!account) return undefined;
  const { namespace, name } = credentialsOf(account);
  return secretNow(scene, namespace, name, 'accessToken');
}
