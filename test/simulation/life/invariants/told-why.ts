import { managedPlurals } from '../draw/vocabulary.ts';
import { conditionOf } from '../intent.ts';
import { nameOf } from '../scene.ts';
import { accountOf, live } from './diagnosis.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** By then everybody who waits for an account says what its status says. Milliseconds. */
const SOON = 30_000;

/** An account that can't be used says why, and a moment later whoever waits for it does not wait for it to be found out. */
export const toldWhy: AlwaysInvariant = {
  name: 'what waits for an account says what is wrong with it',
  watch: (scene, say) => ({
    stored({ new: object, old, resource }) {
      if (!object || !resource.endsWith('accounts')) return;
      const isStalled = conditionOf(object, 'Stalled')?.status === 'True';
      if (!isStalled || (old && conditionOf(old, 'Stalled')?.status === 'True')) return;
      const toldAt = scene.world.now();
      scene.world.at(toldAt + SOON, () => {
        const account = scene.intent.byUID(object.metadata.uid);
        const stalled = account && conditionOf(account.object, 'Stalled');
        // Over the word of who holds the namespace nothing is written.
        if (!account || stalled?.status !== 'True' || stalled.reason === 'HeldElsewhere') return;
        // A process that sees or sends nothing for a while can't say it.
        if (scene.sight.since(scene.world.now()) < toldAt) return;
        for (const user of managedPlurals.flatMap((plural) => live(scene, plural))) {
          const { message = '' } = conditionOf(user.object, 'Synced') ?? {};
          // What a resource refers to may be in another account.
          if (accountOf(scene, user) !== account || !message.includes(`${account.name} can't be used yet`)) continue;
          say(`${nameOf(user)} waits for ${nameOf(account)}, and does not say why: ${message}`);
        }
      });
    },
  }),
};
