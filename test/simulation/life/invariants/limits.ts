import { conditionOf } from '../intent.ts';
import { at, textAt } from '../json.ts';
import { credentialsOf, type Scene } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

const HOUR = 3_600_000;
/** "No intensive access": the least time between two requests. Milliseconds. */
const SPACING = 200;
/** So many requests a second are always allowed, whatever the limit. */
const MARGIN = 8;

/**
 * Never more than the hour's web acceleration requests in any rolling hour, never closer than the spacing; and as many for SIMs
 * and gateways a second as allowed: whichever process sends them, for one that takes over comes long after the last request of
 * the one before.
 */
export const limits: AlwaysInvariant = {
  name: 'limits',
  watch(scene, say) {
    /** When requests left, by token and interface. */
    const sent = new Map<string, number[]>();
    return {
      arrived({ api, from, route }) {
        const { cause, token } = scene;
        if (api === null || !cause || cause.isSecond || token === undefined) return;
        const key = `${api} ${token}`;
        const times = sent.get(key) ?? [];
        sent.set(key, times);
        const moment = cause.writtenAt;
        times.push(moment);
        if (api === 'webaccel') {
          const count = times.filter((at) => at > moment - HOUR && at <= moment).length;
          const most = limitOf(scene, token, from, 'webAccelRequestsPerHour', 500);
          if (count > most)
            say(
              `${from} sends the ${count}th web acceleration request of an hour with ${token} (${route}); at most ${most} are allowed`,
            );
          const near = times.slice(0, -1).find((at) => Math.abs(at - moment) < SPACING - 1);
          if (near !== undefined)
            say(
              `${from} sends two web acceleration requests with ${token} within ${Math.abs(near - moment).toFixed(0)} ms (${route})`,
            );
        } else {
          const count = times.filter((at) => at > moment - 1000 && at <= moment).length;
          // After a pause as many may go at once as in a second, and connections take their time.
          const most = count > MARGIN ? limitOf(scene, token, from, 'cloudRequestsPerSecond', 10) : 0;
          if (count > 2 * most + MARGIN)
            say(`${from} sends ${count} requests within a second with ${token}; ${most} are allowed`);
          if (times.length > 200) times.splice(0, 100);
        }
      },
    };
  },
};

/** Credentials are verified, and what follows from them holds, so long after a change. Milliseconds. */
const VERIFIED = 60_000;
/** A process that starts anew verifies one after the other, be it of a service that leaves requests unanswered. Milliseconds. */
const ALL_VERIFIED = 180_000;

/**
 * The lowest limit of the accounts with the token that the service has accepted for a while; where there is none, or where
 * something changed of late, the highest that may have held.
 */
export function limitOf(scene: Scene, token: string, from: string, field: string, otherwise: number): number {
  const now = scene.world.now();
  const since = scene.sight.since(now);
  const long = Math.min(since, now - VERIFIED);
  const found: number[] = [];
  const verified: number[] = [];
  for (const plural of ['cloudaccounts', 'clustercloudaccounts']) {
    for (const account of scene.intent.alive(plural, since)) {
      const { namespace, name } = credentialsOf(account);
      const tokens = scene.intent.secretValues(namespace, name, 'accessToken', since);
      // Credentials whose Secret is gone are kept while resources still need them.
      const kept = tokens.includes(undefined) ? scene.intent.secretValues(namespace, name, 'accessToken', 0) : tokens;
      if (!kept.includes(token)) continue;
      const limits = scene.intent.versionsOf(account, since).map(({ spec }) => {
        const limit = at(spec, 'limits', field);
        return typeof limit === 'number' ? limit : otherwise;
      });
      found.push(...limits);
      const lasts =
        account.goneAt === undefined &&
        account.createdAt < long &&
        scene.intent.versionsOf(account, long).length === 1 &&
        ['accessToken', 'accessTokenSecret'].every(
          (key) => scene.intent.secretValues(namespace, name, key, long).length === 1,
        ) &&
        conditionOf(account.object, 'Ready')?.status === 'True';
      if (lasts) verified.push(...limits);
    }
  }
  const startedAt = scene.world.processes.find(({ name }) => name === from)?.startedAt ?? 0;
  if (verified.length > 0 && startedAt < Math.min(since, now - ALL_VERIFIED)) return Math.min(...verified);
  // A token that no account has any more may be tried once to see whether it is taken.
  return found.length === 0 ? otherwise : Math.max(...found);
}

/** The token that a request was authorized with. */
export function tokenOf(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  if (!authorization.startsWith('Basic ')) return /username="([^"]*)"/.exec(authorization)?.[1];
  return Buffer.from(authorization.slice('Basic '.length), 'base64').toString('utf8').split(':')[0];
}

export function leaseHolder(scene: Scene): string | undefined {
  const lease = scene.world.apiserver.get('leases', 'edgeline-system', 'edgeline-operator');
  return textAt(lease, 'spec', 'holderIdentity');
}
