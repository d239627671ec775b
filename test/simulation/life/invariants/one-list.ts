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
/** What was made may be missing from lists for three minutes, and is looked for a while after. Milliseconds. */
const NEW = 240_000;

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
        if (isUncertain(scene, incarnation, account)) return;
        say(`${nameOf(incarnation)} says ManyMissing, and all that was recorded is there`);
      },
    };
  },
};

/** Something is really missing, or was of late, or what a backup recorded may be. */
function mayLack(scene: Scene, account: Incarnation): boolean {
  return (
    lacksMuch(scene, account) ||
    lostMuch(scene, worldOf(scene, account)) ||
    scene.intent.all.some((one) => one.isRestored)
  );
}

/** What it has is gone, and with what was made a moment ago, which the service may show late, that may be many: it waits. */
function isUncertain(scene: Scene, incarnation: Incarnation, account: Incarnation): boolean {
  const { atService, intent, world } = scene;
  if (conditionOf(incarnation.object, 'Stalled')?.status === 'True') return false;
  const id = incarnation.ids.at(-1);
  if (id === undefined || atService.now(kindOf(incarnation), id) !== undefined) return false;
  const isNew = (one: string) =>
    atService.accountOf(one) === atService.accountOf(id) && (atService.madeAt(one) ?? 0) > world.now() - NEW;
  const others = intent.all.filter((one) => one !== incarnation && accountOf(scene, one) === account);
  return others.filter(({ ids }) => ids.some(isNew)).length >= MANY - 1;
}

/** People removed many things of late that resources of the account had. */
function lostMuch(scene: Scene, opened: string | undefined): boolean {
  const since = scene.world.now() - LATELY;
  const losers = scene.intent.all.filter((one) => lostAt(scene, one, opened).some((at) => at > since));
  return losers.length >= MANY;
}
