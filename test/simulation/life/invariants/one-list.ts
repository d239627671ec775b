import { managedPlurals } from '../draw/vocabulary.ts';
import { conditionOf, type Incarnation } from '../intent.ts';
import { USER } from '../perform.ts';
import { nameOf, type Scene } from '../scene.ts';
import { accountOf, kindOf, lacksMuch, lostAt, MANY, worldOf } from './diagnosis.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** Lists that lack what there is count together within so long: a second one may confirm the first. Milliseconds. */
const TOGETHER = 300_000;
/**
 * What was found gone counts for ten minutes, also where it was made anew; it is found a while after, which is long where the
 * process was killed or stood still. Milliseconds.
 */
const LATELY = 1_800_000;

/**
 * A single list that lacks half of what there is proves nothing: nobody is told that much is missing while all of it is
 * there, and nothing counts as vanished.
 */
export const oneList: AlwaysInvariant = {
  name: 'one list proves nothing',
  watch(scene, say) {
    /** When a list was answered that is not as the service is. */
    const wrong: number[] = [];
    const isProven = () => wrong.filter((at) => at > scene.world.now() - TOGETHER).length > 1;
    // With what is really missing, what one list lacks may be much; and it may have been the last for a while.
    const isOneTooMany = (account: Incarnation) =>
      losers(scene, account).length > 0 && wrong.some((at) => at > scene.world.now() - LATELY);
    return {
      arrived({ fault }) {
        if (fault !== undefined && (fault.startsWith('list ') || fault === 'shown late')) wrong.push(scene.world.now());
      },
      stored({ new: object, old, resource, user }) {
        if (!object || user === USER || isProven()) return;
        const incarnation = scene.intent.byUID(object.metadata.uid);
        if (!incarnation) return;
        const account = managedPlurals.some((plural) => plural === resource)
          ? accountOf(scene, incarnation)
          : incarnation;
        const isNews = ['Ready', 'Synced'].some(
          (type) =>
            conditionOf(object, type)?.reason === 'ManyMissing' &&
            (!old || conditionOf(old, type)?.reason !== 'ManyMissing'),
        );
        if (!isNews || !account?.plural.endsWith('accounts') || mayLack(scene, account)) return;
        if (isUncertain(scene, incarnation) || isOneTooMany(account)) return;
        say(`${nameOf(incarnation)} says ManyMissing, and all that was recorded is there`);
      },
    };
  },
};

/** Something is really missing, or was of late, or what a backup recorded may be. */
function mayLack(scene: Scene, account: Incarnation): boolean {
  return (
    lacksMuch(scene, account) || losers(scene, account).length >= MANY || scene.intent.all.some((one) => one.isRestored)
  );
}

/** What it has is gone, and what others have may be, which no list tells of yet that was taken since, or shows late: it waits. */
function isUncertain(scene: Scene, incarnation: Incarnation): boolean {
  const { atService, intent } = scene;
  if (conditionOf(incarnation.object, 'Stalled')?.status === 'True') return false;
  const id = incarnation.ids.at(-1);
  if (id === undefined || atService.now(kindOf(incarnation), id) !== undefined) return false;
  const isOfAccount = (one: string) => atService.accountOf(one) === atService.accountOf(id);
  return intent.all.filter(({ ids }) => ids.some(isOfAccount)).length >= MANY;
}

/** Resources of the account from which people removed something of late that they had there. */
function losers(scene: Scene, account: Incarnation): Incarnation[] {
  const since = scene.world.now() - LATELY;
  const opened = worldOf(scene, account);
  return scene.intent.all.filter((one) => lostAt(scene, one, opened).some((at) => at > since));
}
