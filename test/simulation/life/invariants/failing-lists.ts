import { conditionOf, type Incarnation, isPaused } from '../intent.ts';
import { textAt } from '../json.ts';
import { credentialsOf, nameOf } from '../scene.ts';
import { accountOf, commonReasons, live, wanted } from './diagnosis.ts';
import type { AlwaysInvariant } from './invariant.ts';

/**
 * So long a list may fail until the account says so: the tries of the list, and the write of the status; with Digest four
 * exchanges of half a minute each. Milliseconds.
 */
const TOLD = 120_000;
const TOLD_BY_DIGEST = 150_000;

/** An account whose lists have failed for minutes does not say that it is Ready, and who waits for them says something. */
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
          const isDigest = textAt(wanted(account).spec, 'authentication') === 'Digest';
          if (isDigest && world.now() - since < TOLD_BY_DIGEST) continue;
          silentUsers(account, since, isDigest ? TOLD_BY_DIGEST : TOLD / 2).forEach((one) =>
            say(`${nameOf(one)} waits for a list of SIMs that has failed for ${TOLD / 1000} s, and does not say so`),
          );
          if (conditionOf(account.object, 'Ready')?.status !== 'True') continue;
          say(`${nameOf(account)} says Ready, and its list of SIMs has failed for ${(world.now() - since) / 1000} s`);
        }
      },
    };

    /** Sims that were applied long ago and say nothing of the spec as it is. */
    function silentUsers(account: Incarnation, since: number, told: number): Incarnation[] {
      const now = scene.world.now();
      if (scene.world.processes.some(({ startedAt }) => startedAt > since)) return [];
      return live(scene, 'sims').filter((sim) => {
        const { generation } = sim.object.metadata;
        const synced = conditionOf(sim.object, 'Synced');
        // Who came meanwhile can't be at work on anything.
        const isSilent = synced?.reason === 'Applying' && wanted(sim).at > since;
        return (
          accountOf(scene, sim) === account &&
          wanted(sim).at < now - told &&
          commonReasons(scene, sim).size === 0 &&
          (synced?.generation !== generation || isSilent)
        );
      });
    }
  },
};
