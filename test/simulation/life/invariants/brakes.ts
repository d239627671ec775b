import { type BrakeName, brakeIn, isReleased } from '../brakes.ts';
import type { Incarnation } from '../intent.ts';
import { isByOperator, nameOf } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

const HOUR = 3_600_000;
/** So long it is made anew by one let-go, at most. */
const LONGEST_ANEW = HOUR / 3;

/** What was done for a namespace with an account, when, and for whom. */
interface Done {
  readonly at: number;
  readonly uid: string;
}

/**
 * Never more deletions of SIMs and gateways in any hour than the account's brake allows its namespace, and never more
 * creations of gateways, but for what a person let go.
 */
export const brakes: AlwaysInvariant = {
  name: 'brakes',
  watch(scene, say) {
    const done = new Map<string, Done[]>();
    // The record is in etcd: with that, it is restored, too.
    if (scene.script.steps.some(({ what }) => what === 'restore etcd')) return {};
    return {
      changed(change) {
        if (!isByOperator(change) || scene.cause?.isSecond) return;
        for (const { kind, id, before, after } of change.objects) {
          if (kind !== 'sims' && kind !== 'gateways') continue;
          if (before && !after) deleted(id, change.from);
          if (kind === 'gateways' && !before && after) created(id, change.from);
        }
      },
    };

    function deleted(id: string, from: string): void {
      const meant = scene.intent.all.filter(({ ids, deletedAt }) => ids.includes(id) && deletedAt !== undefined);
      const [one] = meant;
      // Whose it was is not clear, so nor is whose brake it is.
      if (!one || meant.length > 1) return;
      const asked = one.object.metadata.deletionTimestamp;
      note(one, 'deletions', (account) => isReleased(one, account, 'edgeline.dev/release-deletions', asked), from);
    }

    function created(id: string, from: string): void {
      const asking = scene.intent.all.filter(({ uid }) => scene.atService.mayHaveCreated(uid, id));
      const [one] = asking;
      if (!one || asking.length > 1 || scene.atService.isStray(id)) return;
      // What is made once more was asked for when it vanished, a moment ago, and no let-go of long ago is for it.
      const isAnew = one.ids.some((other) => other !== id);
      const asked = isAnew ? whenVanished() : one.object.metadata.creationTimestamp;
      const isLetGo = (account: Incarnation) => isReleased(one, account, 'edgeline.dev/release-creations', asked);
      note(one, 'gatewayCreations', isLetGo, from);
    }

    function whenVanished(): string {
      return new Date(scene.world.epoch + scene.world.now() - LONGEST_ANEW).toISOString();
    }

    function note(one: Incarnation, name: BrakeName, isLetGo: (account: Incarnation) => boolean, from: string): void {
      const now = scene.world.now();
      const accounts = scene.accountObjects(one, now - HOUR);
      const [account] = accounts;
      if (!account || accounts.length > 1 || isLetGo(account)) return;
      const limits = scene.intent.versionsOf(account, now - 2 * HOUR).map((version) => brakeIn(version, name)?.perHour);
      const most = Math.max(...limits.map((limit) => limit ?? Number.POSITIVE_INFINITY));
      const key = `${name} ${account.uid} ${one.namespace}`;
      const all = [...(done.get(key) ?? []), { at: now, uid: one.uid }];
      done.set(key, all);
      const lately = all.filter(({ at }) => at > now - HOUR);
      if (lately.length > most) {
        say(`${from}: ${name} number ${lately.length} within an hour, for ${nameOf(one)}; the brake allows ${most}`);
      }
    }
  },
};
