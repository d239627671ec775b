import { conditionOf, isPaused } from '../intent.ts';
import { credentialsOf, nameOf } from '../scene.ts';
import { wanted } from './diagnosis.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** So long a list may fail until the account says so: the tries of the list, and the write of the status. Milliseconds. */
const TOLD = 120_000;

/** An account whose lists have failed for minutes does not say that it is Ready. */
export const failingLists: AlwaysInvariant = {
  name: 'lists that fail are told of',
  watch(scene, say) {
    /** Since when the list of SIMs has failed, by token. */
    const failing = new Map<string, number>();
    return {
      arrived({ route, outcome, fault }) {
        const { token, world } = scene;
        if (route !== 'GET /commonserviceitem' || token === undefined) return;
        // A list that lacks something is a list all the same.
        const isGiven = outcome === 200 && (fault === undefined || fault.startsWith('list '));
        if (isGiven) return void failing.delete(token);
        const since = failing.get(token) ?? world.now();
        failing.set(token, since);
        if (world.now() - since < TOLD || scene.sight.since(world.now()) < since) return;
        for (const account of [
          ...scene.intent.alive('cloudaccounts', since),
          ...scene.intent.alive('clustercloudaccounts', since),
        ]) {
          const { namespace, name } = credentialsOf(account);
          const tokens = scene.intent.secretValues(namespace, name, 'accessToken', since);
          if (account.goneAt !== undefined || account.createdAt > since || isPaused(wanted(account).annotations))
            continue;
          if (tokens.length !== 1 || tokens[0] !== token) continue;
          if (conditionOf(account.object, 'Ready')?.status !== 'True') continue;
          say(`${nameOf(account)} says Ready, and its list of SIMs has failed for ${(world.now() - since) / 1000} s`);
        }
      },
    };
  },
};
